package kits_test

import (
	"os"
	"sync"

	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// metaprotocol returns the model of the messages.
var metaprotocol = sync.OnceValues(func() (*model.Model, error) {
	return model.Read(
		os.DirFS("../.."), model.Protocol)
})

// conforms returns an error if a message of a bot is not as the model of the metaprotocol says.
func conforms(content []byte) error {
	m, err := metaprotocol()
	if err != nil {
		return err
	}
	v, err := jsonscan.Parse(content)
	if err != nil {
		return err
	}
	return model.Checker{Model: m, Peer: true}.CheckMessage(v)
}
