package netorcai

// AppendLoginAck appends a LOGIN_ACK.
func AppendLoginAck(dst []byte) []byte {
	start := len(dst)
	dst = append(BeginFrame(dst),
		`{"message_type":"LOGIN_ACK","metaprotocol_version":"`+Version+`"}`...)
	return endSmall(dst, start)
}

var loginAckFields = []string{"message_type", "metaprotocol_version"}

// ParseLoginAck parses a LOGIN_ACK and returns the server's version.
func ParseLoginAck(content []byte) (version string, err error) {
	f := readFields(content, loginAckFields)
	f.messageType(typeLoginAck)
	version = f.text()
	return version, f.err
}
