package script

import (
	"bufio"
	"encoding/json"
	"io"
)

// maxMessage is the size of the largest message that servers send, in bytes.
const maxMessage = 1<<24 - 1

// mostMessages is the number of messages that wait for a script that does something else. A server
// sends no more than a handful before an answer.
const mostMessages = 64

// message is a message of the server. Without a type it is the end of the conversation, and err
// tells why if the server is at fault.
type message struct {
	Type   string `json:"message_type"`
	Turn   int    `json:"turn_number"`
	Reason any    `json:"kick_reason"`

	text  string
	err   error
	count int // how many messages have arrived with it
}

// read reads messages from a stream until its end, and passes them on. It interrupts what the
// script does once a message says that this is no longer waited for.
func (b *bot) read(r io.Reader, messages chan<- message) {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		m := next(in)
		b.activity.arrive(&m)
		messages <- m
		if m.Type == "" {
			return
		}
	}
}

// next reads a message, which is a line.
func next(in *bufio.Reader) (m message) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxMessage {
			return message{err: failf("the server sent a message of more than %d bytes", maxMessage)}
		}
		if err == nil {
			break
		}
		if err != bufio.ErrBufferFull {
			return message{}
		}
	}
	m.text = string(line)
	err := json.Unmarshal(line, &m)
	if _, wrongType := err.(*json.UnmarshalTypeError); wrongType && line[0] != '{' {
		return message{err: failf("the server sent a message that is not a JSON object")}
	}
	if _, noJSON := err.(*json.SyntaxError); noJSON {
		return message{err: failf("the server sent a message that is not JSON: %v", err)}
	}
	if m.Type == "" {
		m.Type = "unknown"
	}
	return m
}
