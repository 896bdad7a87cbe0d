package check

func packetsBadly(string, []string) {}
