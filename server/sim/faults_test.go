package sim

import "github.com/hexarena/hexarena/engine/enginetest"

// faults are planted in the server one at a time, to measure in how many seeds each is found.
var faults = []enginetest.Mutant{
	{
		"the last answer of a turn does not wake the match", "../match/mailbox.go",
		"m.skippable.Add(-1) < 0 {", "m.skippable.Add(-1) < -1 {",
	},
	{
		"a full match starts twice", "../match/join.go",
		"!m.opts.Autostart || m.phase != gathering ||", "!m.opts.Autostart || m.phase == over ||",
	},
	{
		"an operator starts a match twice", "../match/mailbox.go",
		"		if m.phase != gathering {\n			return\n		}\n		if err", "		if err",
	},
	{
		"one seat too many", "../match/roster.go",
		"if taken >= s.seats()[c.Role] {", "if taken > s.seats()[c.Role] {",
	},
	{
		"the grace is a second too long", "../match/reconnect.go",
		"time.Since(p.left) > m.opts.Grace {", "time.Since(p.left) > m.opts.Grace+time.Second {",
	},
	{
		"the grace is a second too short", "../match/reconnect.go",
		"time.Since(p.left) > m.opts.Grace {", "time.Since(p.left) > m.opts.Grace-time.Second {",
	},
	{
		"the grace begins with the match", "../match/join.go",
		"p.Connected, p.lapse, p.Reason, p.left = false, lapse, reason, time.Now()", "p.Connected, p.lapse, p.Reason = false, lapse, reason",
	},
	{
		"a seat that is taken is given to a namesake", "../match/reconnect.go",
		"p.Connected && (c.Key == \"\" ||", "p.Connected && (false ||",
	},
	{
		"a fast match does not wait for players that may come back", "../match/reconnect.go",
		"m.turn.held = !there && until.After(time.Now())", "m.turn.held = false",
	},
	{
		"a player that comes back is not awaited", "../match/pace.go",
		"	f.missing++\n", "",
	},
	{
		"a player that comes back has not answered", "../match/reconnect.go",
		"asked: c.Nickname, answered: old.answered,", "asked: c.Nickname, answered: -1,",
	},
	{
		"a player that comes back is not sent the turn", "../match/join.go",
		"	if m.newest != nil {\n		p.seat.Offer(m.newest)\n	}\n", "",
	},
	{
		"a player that has answered and leaves answers again", "../match/join.go",
		"	if awaited {\n		m.apply(m.holdForReconnect(m.pace.Left", "	if awaited || m.phase == asking {\n		m.apply(m.holdForReconnect(m.pace.Left",
	},
	{
		"an answer to an older turn ends this one", "../match/turn.go",
		"awaited := m.awaits(p) && e.turn == m.asked()", "awaited := m.awaits(p)",
	},
	{
		"an answer to an older turn counts for this one", "../match/turn.go",
		"	p.answered = e.turn\n", "	p.answered = m.asked()\n",
	},
	{
		"an answer is recorded for the turn in which it comes", "../match/turn.go",
		"Player: p.ID, Turn: e.turn,", "Player: p.ID, Turn: m.asked(),",
	},
	{
		"a player that is gone is late", "../match/turn.go",
		"			why = p.lapse\n", "			why = engine.TimedOut\n",
	},
	{
		"a player that has answered lapses as well", "../match/turn.go",
		"p.answered == m.asked() && p.missed != m.asked() ||", "",
	},
	{
		"answers that have arrived are not read at the end of a turn", "../match/match.go",
		"for n := len(m.mail); n > 0", "for n := 0; n > 0",
	},
	{
		"watchers learn of a departure before the turn", "../match/mailbox.go",
		"	if e.kind != answered {\n		m.showTurn()\n	}\n", "",
	},
	{
		"turns are a millisecond too long", "../match/pace.go",
		"t.end = now.Add(length)", "t.end = now.Add(length + time.Millisecond)",
	},
	{
		"another delay has no effect", "../match/mailbox.go",
		"		f(&m.settings)\n		m.repace = true\n", "		f(&m.settings)\n",
	},
	{
		"the limit of a turn is forgotten when a player answers", "../match/pace.go",
		"return Decision{Wake: f.latest, SkipWakeups: f.missing - 1}", "return Decision{SkipWakeups: f.missing - 1}",
	},
	{
		"the last turn is not played", "../match/turn.go",
		"m.turns >= m.table.Settings.Turns {", "m.turns >= m.table.Settings.Turns-1 {",
	},
	{
		"the end of a game is sent only to clients that have answered", "../session/seat.go",
		"		s.dropKept()\n		s.sendFrame(f, netorcai.KickSendGameEnds)\n", "		s.dropKept()\n		if s.state == ready {\n			s.sendFrame(f, netorcai.KickSendGameEnds)\n		}\n",
	},
	{
		"a TURN is sent although the client owes an answer", "../session/seat.go",
		"case s.state == thinking || s.out.writing:", "case s.out.writing:",
	},
	{
		"a connection is closed before its client has read the KICK", "../session/session.go",
		"	s.in.close()\n	s.linger()\n", "	s.in.close()\n",
	},
	{
		"a client that is gone keeps its seat", "../session/login.go",
		"	if place != nil {\n		place.Vacate(reason)", "	if place != nil && reason == \"\" {\n		place.Vacate(reason)",
	},
	{
		"an answer to a future turn counts", "../session/session.go",
		"parseAnswer(content, asked)", "parseAnswer(content, asked+1)",
	},
	{
		"a TURN that was kept is not sent once the client has answered", "../session/session.go",
		"	place.Answer(ack.Turn, ack.Actions, s.debugOf(&ack), took)\n	s.mu.Lock()\n	defer s.mu.Unlock()\n	s.askKept()\n", "	place.Answer(ack.Turn, ack.Actions, s.debugOf(&ack), took)\n",
	},
	{
		"a client that has a seat goes on to wait for one", "../host/waiting.go",
		"func(other *waiter) bool { return other == w })\n	if w.gone", "func(other *waiter) bool { return false })\n	if w.gone",
	},
	{
		"a client that has left while it waited gets a seat", "../host/waiting.go",
		"			w.gone, tried = reason, w.tried\n		}\n		return w.seat == seat\n", "			tried = w.tried\n		}\n		return false\n",
	},
	{
		"a connection that has ended counts for ever", "../host/accept.go",
		"			defer slot.Release()\n", "",
	},
	{
		"a turn is acknowledged before it is synced", "../recording/file.go",
		"	if f.durable == EveryTurn {\n		if err", "	if f.durable == AtEnd {\n		if err",
	},
	{
		"the name of a recording is not synced", "../recording/file.go",
		"	err := f.disk.SyncDir(filepath.Dir(f.Name()))\n", "	var err error\n",
	},
	{
		"a turn whose sync failed is written twice", "../recording/file.go",
		"		if err := f.Sync(); err != nil {\n			return err\n		}\n	}\n	f.size += int64(len(line))\n",
		"		if err := f.Sync(); err != nil {\n			f.size += int64(len(line))\n			return err\n		}\n	}\n	f.size += int64(len(line))\n",
	},
	{
		"what a failing sync lost is not written again", "../recording/file.go",
		"io.NewSectionReader(f, f.synced, f.size-f.synced)", "io.NewSectionReader(f, f.synced, 0)",
	},
	{
		"packed frames are not synced before their footer is written", "../recording/pack.go",
		"	if err := f.Sync(); err != nil {\n		return err\n	}\n	if _, err := f.WriteAt(footer", "	if _, err := f.WriteAt(footer",
	},
	{
		"packed frames are not synced before they replace the lines", "../recording/pack.go",
		"	if err := f.Sync(); err != nil {\n		return err\n	}\n	if _, err := io.Copy", "	if _, err := io.Copy",
	},
	{
		"a write that failed is not made good", "../recording/spool.go",
		"	s.waiting = append(s.waiting, line...)\n", "",
	},
	{
		"inputs are recorded in another order", "../recording/recorder.go",
		"	r.abridge()\n", "	if n := len(t.Inputs); n > 1 {\n		t.Inputs[0], t.Inputs[n-1] = t.Inputs[n-1], t.Inputs[0]\n	}\n	r.abridge()\n",
	},
	{
		"a game logic is not told of the last answer", "../session/logic.go",
		"		if in.Lapse == engine.Answered {", "		if in.Lapse == engine.Answered && (i == 0 || i < len(inputs)-1) {",
	},
	{
		"a bot of the HTTTX Bot API is asked for the moves of both sides", "../botapi/conversation.go",
		"t.current.ToMove == t.side && t.request == nil", "t.request == nil",
	},
	{
		"a bot of the HTTTX Bot API is not told of the end", "../botapi/conversation.go",
		"		t.sayGoodbye(n.kickReason)\n", "",
	},
	{
		"the clock of a player runs twice as fast", "../match/clock.go",
		"now.Sub(c.asked).Truncate(time.Microsecond)", "2*now.Sub(c.asked).Truncate(time.Microsecond)",
	},
	{
		"bombs explode a turn too early", "../../engine/hexabomb/apply.go",
		"due: g.turn + a.delay}", "due: g.turn + a.delay - 1}",
	},
	{
		"blocked actions are not tried again", "../../engine/hexabomb/apply.go",
		"for moved && len(g.kept) > 0 {", "for moved && false {",
	},
	{
		"a started bot that fails is not started again", "../seat/seating/filling.go",
		"ctx.Err() != nil || s.match.Started() {",
		"ctx.Err() != nil || s.match.Started() || err != errLeft {",
	},
	{
		"a started bot is not ended after its match", "../seat/seating/dismiss.go",
		"			proc.Dismiss(ctx)\n", "",
	},
	{
		"the login of a started bot is not known to be its own", "../seat/seating/processes.go",
		"	if found := p.find(remote, roots); found != origin.Unknown {\n		return callers",
		"	if found := p.find(remote, roots); found < origin.Unknown {\n		return callers",
	},
	{
		"a client of unknown origin gets the seat of a started bot", "../seat/seating/start.go",
		"	if s.once != nil { // otherwise", "	if true { // otherwise",
	},
	{
		"a bot that crashes is said to have left", "../result/described.go",
		"		return Crashed, exit + when\n", "		return Left, exit + when\n",
	},
	{
		"a bot of the HTTTX Bot API is asked when the other side is to move", "../botapi/conversation.go",
		"t.current.ToMove == t.side && t.request == nil {\n		return t.ask", "t.current.ToMove != t.side && t.request == nil {\n		return t.ask",
	},
	{
		"the first piece of a person is forgotten", "../botapi/answer.go",
		"	t.submit(r, pieces, m, at)\n", "	t.submit(r, pieces[len(pieces)-1:], m, at)\n",
	},
	{
		"the tokens of a game on request are exchanged", "../hivemaker/hivemaker.go",
		"= tokenSeat{g, side}", "= tokenSeat{g, 1 - side}",
	},
	{
		"logins wait for the last words of bots that crash", "../seat/seating/watch.go",
		"			late = time.After(settleTime)\n", "			s.mu.Lock()\n			defer s.mu.Unlock()\n			late = time.After(settleTime)\n",
	},
	{
		"a bot that stays is ended after its match", "../seat/seating/stay.go",
		"		return ctx.Err() == nil\n", "		return false\n",
	},
	{
		"a bot that stays is started again", "../seat/seating/processes.go",
		"!r.proc.Ended() && !(b.OneMatch", "!r.proc.Ended() && r.stays == nil && !(b.OneMatch",
	},
	{
		"a bot that stays is told the seed of its first match", "../seat/seating/attempt.go",
		"b.number, b.reserved(), b.Seed\n", "b.number, b.reserved(), c.Seed\n",
	},
	{
		"a bot is not told that others stay in its place", "../seat/seating/stay.go",
		"		r.stays.seat.Kick(match.ErrFinished)\n", "",
	},
	{
		"one bot too many stays", "../seat/seating/stay.go",
		"	if staying <= p.most {", "	if staying <= p.most+1 {",
	},
	{
		"a bot that stays has a connection that is over", "../seat/seating/stay.go",
		"	r.stays.gone = reason\n", "",
	},
	{
		"the rest of a message to a bot's standard input is cut", "../session/stdio.go",
		"		return c.out.Write(frame)\n", "		return c.out.Write(oneLine(frame[min(frameHead, len(frame)-1):]))\n",
	},
	{
		"a line of an event's log is not synced", "../machine/disk/log.go",
		"	if err == nil {\n		err = l.Sync()\n	}\n", "",
	},
	{
		"the name of the log of acts is not synced", "../event/event.go",
		"range []string{e.dir, filepath.Join(e.dir, filepath.Dir(actsFile))} {", "range []string{e.dir} {",
	},
	{
		"what a crash leaves of a line stays", "../machine/disk/log.go",
		"Recover(file, l.End)", "Recover(file, int64(len(text)))",
	},
	{
		"what a failing write leaves of a line stays", "../machine/disk/log.go",
		"	if !l.torn {\n", "	if true {\n",
	},
	{
		"a round begins before the last one is over", "../event/rounds/rounds.go",
		"	matches.Wait()\n", "",
	},
	{
		"the result of a match is lost while the disk is full", "../event/journal.go",
		"		case <-time.After(RetryTime):\n",
		"		case <-time.After(RetryTime):\n			return e.withdraw(p, nil)\n",
	},
	{
		"a round that could not be written waits for the next one", "../event/rounds/rounds.go",
		"	if r.failed {\n", "	if false {\n",
	},
	{
		"results that are written together have the same number", "../event/journal.go",
		"p.row.K = first + i", "p.row.K = first + 0*i",
	},
	{
		"a result is shown before it is written", "../event/journal.go",
		"	if err := e.noted(e.rows.Add(lines)); err != nil {\n		return err\n	}\n	e.mu.Lock()",
		"	defer func() { _ = e.noted(e.rows.Add(lines)) }()\n	e.mu.Lock()",
	},
	{
		"void matches count", "../event/state/tally.go",
		"	if s.Results.void[row.K] {\n", "	if false {\n",
	},
	{
		"a match of an event does not wait for a bot that thinks", "../contest/play/play.go",
		"match.NewWaiting(s.TurnTimeout, ", "match.NewWaiting(s.TurnTimeout/4, ",
	},
	{
		"rounds do not learn that a bot waits", "../event/rounds/rounds.go",
		"o.Hold = func() { notify(r.news) }", "o.Hold = func() {}",
	},
	{
		"tokens follow from another secret after each start", "../event/secret.go",
		"	text, err := disk.ReadFile(d, path)\n	if errors.Is(err, fs.ErrNotExist) {\n", "	text, err := disk.ReadFile(d, path)\n	if true || errors.Is(err, fs.ErrNotExist) {\n",
	},
}
