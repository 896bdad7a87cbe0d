package script

import (
	"container/heap"
	"time"

	"github.com/grafana/sobek"
)

// timers are the functions that a script wants to be called later.
type timers struct {
	queue queue
	byID  map[int]*timer
	last  int // the newest timer's id
	alarm *time.Timer
}

type timer struct {
	id, index int
	at        time.Time
	every     time.Duration // 0: once
	call      sobek.Callable
}

// start starts a timer of some milliseconds and returns its id. Less than one stands for one, as in
// Node.
func (t *timers) start(call sobek.Callable, milliseconds float64, again bool) int {
	delay := time.Millisecond
	if milliseconds > 1 {
		delay = time.Duration(min(milliseconds, 1<<31) * float64(time.Millisecond))
	}
	t.last++
	one := &timer{id: t.last, at: time.Now().Add(delay), call: call}
	if again {
		one.every = delay
	}
	if t.byID == nil {
		t.byID = map[int]*timer{}
	}
	t.byID[one.id] = one
	heap.Push(&t.queue, one)
	return one.id
}

// stop stops a timer; ids of others are ignored.
func (t *timers) stop(id int) {
	if one := t.byID[id]; one != nil {
		delete(t.byID, id)
		heap.Remove(&t.queue, one.index)
	}
}

// any reports whether a function will be called.
func (t *timers) any() bool { return len(t.queue) > 0 }

// next returns the channel of the next timer; nil if there is none.
func (t *timers) next() <-chan time.Time {
	if len(t.queue) == 0 {
		return nil
	}
	wait := time.Until(t.queue[0].at)
	if t.alarm == nil {
		t.alarm = time.NewTimer(wait)
	} else {
		t.alarm.Reset(wait)
	}
	return t.alarm.C
}

// fire calls the function of the next timer.
func (t *timers) fire() error {
	one := t.queue[0]
	if one.every > 0 {
		one.at = time.Now().Add(one.every)
		heap.Fix(&t.queue, 0)
	} else {
		t.stop(one.id)
	}
	_, err := one.call(sobek.Undefined())
	return err
}

// queue implements heap.Interface: the timer that is due first is its first.
type queue []*timer

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].at.Equal(q[j].at) {
		return q[i].id < q[j].id
	}
	return q[i].at.Before(q[j].at)
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface.
func (q *queue) Push(x any) {
	one := x.(*timer)
	one.index = len(*q)
	*q = append(*q, one)
}

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	one := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return one
}
