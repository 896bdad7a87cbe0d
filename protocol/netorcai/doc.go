// Package netorcai is the vocabulary of the netorcai metaprotocol 2.0.0: its
// frames, its messages with encoder and decoder side by side, the exact texts
// of its errors and kicks, and a client for bots. SPEC.md beside this file
// describes the wire on one page.
//
// It is no server: it knows neither seats nor turns nor time, and decides
// about nobody. Game states and actions travel through it as raw JSON.
//
// Functions called Append… append one whole message to a buffer, frame
// included, so that it goes out in a single write; they do not allocate when
// the buffer has room. Functions called Parse… read the content of one frame,
// and what they return points into it.
//
// Nothing here keeps a goroutine: a [Client] works in the goroutine that calls
// it, and what it starts to watch a context ends before the call returns.
package netorcai
