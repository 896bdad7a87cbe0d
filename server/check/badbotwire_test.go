package check

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

func (b *badBot) connect(address string) {
	if name, ok := strings.CutPrefix(b.fault, "ws-"); ok {
		ws, _, err := websocket.DefaultDialer.Dial("ws://"+address+"/netorcai", nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		b.fault, b.ws, b.out = name, ws, bufio.NewWriter(io.Discard)
		return
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	b.conn, b.out, b.in = conn, bufio.NewWriter(conn), bufio.NewReaderSize(conn, 64<<10)
}

// login sends the first message.
func (b *badBot) login() {
	login := map[string]any{
		"message_type": "LOGIN", "nickname": os.Getenv("BOT_NICKNAME"), "role": "player",
		"metaprotocol_version": "2.0.0", "stay": true,
	}
	switch b.fault {
	case "silent-login":
		<-time.After(lastly)
	case "first-message-size":
		login["about"] = strings.Repeat("x", 2000)
	case "login-unreadable":
		b.sendText(`{'message_type':'LOGIN'}`)
		return
	case "not-login":
		login["message_type"] = "HELLO"
	case "login-field":
		delete(login, "role")
	case "login-nickname":
		login["nickname"] = "much too long a name"
	case "login-role":
		login["role"] = "bot"
	case "login-version":
		login["metaprotocol_version"] = "1.0.0"
	case "own-nickname":
		login["nickname"] = "me"
	case "no-stay":
		delete(login, "stay")
	case "prints":
		fmt.Println("Hello! I am a bot.")
	}
	b.send(login)
}

// send sends a message.
func (b *badBot) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	b.sendText(string(text))
}

// sendText sends the text of a message.
func (b *badBot) sendText(text string) {
	if b.ws != nil {
		_ = b.ws.WriteMessage(websocket.TextMessage, []byte(text))
		return
	}
	if b.stdio {
		fmt.Fprintln(b.out, text)
		if b.fault != "not-flushed" {
			_ = b.out.Flush()
		}
		return
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	size := len(text) + 1
	switch b.fault {
	case "no-frames":
		_, _ = b.conn.Write([]byte(text + "\n"))
		return
	case "byte-order":
		order = binary.BigEndian
	case "frame-length":
		size--
	case "frame-length-long":
		size++
	}
	header := order.AppendUint32(nil, uint32(size))
	if b.fault == "header-alone" {
		_, _ = b.conn.Write(header)
		<-time.After(500 * time.Millisecond)
		header = nil
	}
	_, _ = b.conn.Write(append(header, text+"\n"...))
}

// receive reads a message.
func (b *badBot) receive() fromServer {
	content, err := b.readContent()
	if err != nil {
		if b.fault == "stays-running" {
			<-time.After(lastly)
		}
		_ = b.out.Flush()
		os.Exit(0)
	}
	if depth := strings.Count(string(content), "[[["); b.fault == "deep-state" && depth > 5 {
		panic("nested too deeply")
	}
	if b.fault == "notation" && strings.HasPrefix(string(content), `{ "`) {
		panic("cannot read this")
	}
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	if b.fault == "unknown-fields" && strings.Contains(string(content), `"a":[1`) {
		panic("unknown field x-check")
	}
	var m fromServer
	if err := decoder.Decode(&m); err != nil {
		panic(err)
	}
	return m
}

func (b *badBot) readContent() ([]byte, error) {
	if b.ws != nil {
		_, content, err := b.ws.ReadMessage()
		return content, err
	}
	if b.stdio {
		return b.in.ReadBytes('\n')
	}
	switch b.fault {
	case "pieces", "joined":
		return b.readOnce()
	case "long-wait":
		_ = b.conn.SetReadDeadline(time.Now().Add(briefPatience))
	}
	header := make([]byte, 4)
	if _, err := io.ReadFull(b.in, header); err != nil {
		if b.fault == "long-wait" && os.IsTimeout(err) {
			panic(err)
		}
		return nil, err
	}
	size := binary.LittleEndian.Uint32(header)
	if b.fault == "large-state" && size > 1<<20 {
		panic("the message does not fit the buffer")
	}
	content := make([]byte, size)
	_, err := io.ReadFull(b.in, content)
	return content, err
}

// readOnce takes what one read returns for one message.
func (b *badBot) readOnce() ([]byte, error) {
	if b.fault == "pieces" { // but finds the messages in it
		header, err := b.in.Peek(1)
		if err != nil {
			return nil, err
		}
		if n := b.in.Buffered(); n < 5 {
			panic(fmt.Sprintf("%d bytes are no message: % x", n, header))
		}
		all := make([]byte, 4)
		_, _ = io.ReadFull(b.in, all)
		content := make([]byte, binary.LittleEndian.Uint32(all))
		_, err = io.ReadFull(b.in, content)
		return content, err
	}
	header := make([]byte, 4)
	if _, err := io.ReadFull(b.in, header); err != nil {
		return nil, err
	}
	content := make([]byte, binary.LittleEndian.Uint32(header))
	_, err := io.ReadFull(b.in, content)
	if b.in.Buffered() > 0 {
		_, _ = b.in.Discard(b.in.Buffered())
	}
	return content, err
}
