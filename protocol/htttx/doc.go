// Package htttx is the vocabulary of hexagonal tic-tac-toe between programs: the
// capabilities that a bot declares, the packets of basic_websocket v1-alpha in
// both directions, the exchange of stateless v1-alpha, what Hivemaker's server
// adds to them, and the notation that games are written down in. SPEC.md beside
// this file describes it all on one page.
//
// It knows the shapes of messages and no rules: whether a cell is free is not
// its business, nor is time or who is awaited. Boards travel through it as raw
// JSON.
//
// The methods called Append append one whole message. Functions called Parse…
// read one; what they return may point into the text. What is wrong with a
// message is a [Fault], in words for whoever wrote the bot.
package htttx
