package script

import (
	"reflect"
	"unsafe"

	"github.com/grafana/sobek"
)

// unwind empties the engine's stacks while no script runs. An interrupt leaves frames there of
// each asynchronous function that another one has called, after which no promise is ever
// handled: the engine handles promises when its stack is empty. It offers no way to empty it,
// and replacing the engine would lose the state of the bot. TestInterrupted notices a release
// whose stacks are other ones.
func unwind(vm *sobek.Runtime) {
	state := reflect.ValueOf(vm).Elem().FieldByName("vm").Elem()
	for _, name := range []string{
		"callStack", "tryStack", "iterStack", "refStack", "sp", "curAsyncRunner",
	} {
		field := state.FieldByName(name)
		reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().SetZero()
	}
}
