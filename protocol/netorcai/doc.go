// Package netorcai implements the messages of the netorcai metaprotocol 2.0.0: frames,
// encoders and decoders, the exact texts of errors and kicks, and a client for bots. SPEC.md
// beside this file describes the wire, and model.json is the same as data.
//
// It does not implement a server and knows nothing of seats, turns or time. Game states and
// actions pass through it as raw JSON.
//
// Functions called Append… append one whole message to a buffer, frame included, so that it
// can be sent in a single write; they do not allocate if the buffer has room. Functions called
// Parse… parse the content of one frame, and their results point into it.
//
// No goroutine outlives a call: a [Client] works in the goroutine that calls it, and a watcher
// of a context ends before the call returns.
package netorcai
