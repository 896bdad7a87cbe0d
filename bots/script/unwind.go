package script

import (
	"reflect"
	"unsafe"

	"github.com/grafana/sobek"
)

// unwind empties the engine's stacks and its queue of jobs while no script runs. An interrupt
// leaves frames there of each asynchronous function that another one has called. The engine handles
// promises when its stack is empty: without unwind it would never do so again, or it would go on
// with what was interrupted. It offers no way to empty them, and a new engine would lose the state
// of the bot. TestInterrupted notices a release whose stacks are other ones.
func unwind(vm *sobek.Runtime) {
	runtime := reflect.ValueOf(vm).Elem()
	empty(runtime, "jobQueue")
	empty(runtime.FieldByName("vm").Elem(),
		"callStack", "tryStack", "iterStack", "refStack", "sp", "curAsyncRunner")
}

// empty sets fields of a structure to zero.
func empty(of reflect.Value, names ...string) {
	for _, name := range names {
		field := of.FieldByName(name)
		reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().SetZero()
	}
}
