package main

import "context"

func (b *bench) headless(ctx context.Context) error { return nil }
