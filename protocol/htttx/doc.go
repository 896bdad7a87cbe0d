// Package htttx implements the messages of hexagonal tic-tac-toe between programs: the
// capabilities that a bot declares, the packets of basic_websocket v1-alpha in both
// directions, the requests of stateless v1-alpha, Hivemaker's additions, and the notation
// for recorded games. SPEC.md beside this file describes them on one page.
//
// The package knows the form of messages but no rules: it does not check whether a cell is
// free, whose turn it is or how much time is left. Boards pass through it as raw JSON.
//
// Methods called Append append one whole message. Functions called Parse… parse one; their
// results may point into the text. Errors of a message are a [Fault], worded for the author
// of the bot.
package htttx
