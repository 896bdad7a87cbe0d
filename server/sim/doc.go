// Package sim is for tests only: they run the whole server in a simulated world. The network, the
// clients, the operator and every random draw come from one seed, and the clock is
// that of a [testing/synctest] bubble, so that a match of minutes takes milliseconds and a
// failure can be repeated:
//
//	go test -count=1 -v ./server/sim -args -seed 17
//
// The same seed has the same history, whatever the number of processors and whether or not the
// race detector is on:
//
//   - Everything that the world does to the server, such as bytes that arrive, a deadline of
//     a connection that passes or a step of a client, is an event of one scheduler. It runs an
//     event only when all that the earlier ones caused has come to rest.
//   - Each actor, connection and direction has a random stream of its own, which depends on
//     the seed and its name only.
//   - The history is kept by actor and sorted by instant, actor and number.
package sim
