package seat

import "context"

// AsOf returns the seat of a file or folder as git has it, such as my_bot.py@HEAD, and reports
// false for other arguments.
type AsOf func(ctx context.Context, argument string, known Known) (s Spec, ok bool, err error)

type asOfKey struct{}

// WithAsOf returns a context in which [Parse] and [ParseLogic] also read what a function reads. The
// context carries it since such files need a folder until the program ends, and so that it holds
// for the seats of all commands.
func WithAsOf(ctx context.Context, f AsOf) context.Context {
	return context.WithValue(ctx, asOfKey{}, f)
}

// asOf returns the function of the context, or nil.
func asOf(ctx context.Context) AsOf {
	f, _ := ctx.Value(asOfKey{}).(AsOf)
	return f
}
