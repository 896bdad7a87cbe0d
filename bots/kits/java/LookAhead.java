// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Paints, steps out of the reach of all bombs, and tries each bomb out before it drops one. */
public class LookAhead implements Hexarena<Hexarena.State> {
    private static final int TURNS = 5; // that it looks ahead: the turn of a bomb, and its longest delay
    private static final int GAIN = 8; // cells that a bomb must gain: it may gain more in a later turn
    private static final int LIFE = 8; // cells that a character is worth: while it is dead, it paints none

    private final Match<State> match;
    private final Simulator<State> simulator;

    LookAhead(Match<State> match) {
        this.match = match;
        simulator = new Simulator<>(match, "hexabomb");
    }

    @Override
    public List<Action> turn(State state) {
        simulator.load();
        simulator.save("now");
        List<Bomb> bombs = List.of();
        List<Action> best = walk(state, bombs);
        int most = worth(best);
        for (Character c : new Hexabomb(match, state).mine) {
            List<Bomb> before = bombs;
            for (int delay = 2; delay <= 4 && c.bombCount() > 0; delay++) {
                if (match.timeLeft().map(left -> left.toMillis() < 100).orElse(false)) return best;
                var tried = new ArrayList<>(before);
                tried.add(new Bomb(c.color(), 4, delay, c.coord()));
                List<Action> actions = walk(state, tried);
                int worth = worth(actions);
                if (worth >= most + GAIN) {
                    best = actions;
                    bombs = tried;
                    most = worth;
                }
            }
        }
        match.debug.value("lead in five turns", most);
        return best;
    }

    /** Returns my lead after some turns, in which I act like this and then walk, and others stand. */
    private int worth(List<Action> actions) {
        int me = match.playerId;
        simulator.restore("now");
        State state = null;
        for (int i = 0; i < TURNS && !(i > 0 && simulator.over()); i++) {
            var all = new ArrayList<List<Action>>();
            for (int player = 0; player < simulator.score().size(); player++) {
                all.add(player == me ? actions : List.of());
            }
            simulator.step(all);
            state = simulator.state();
            actions = walk(state, List.of());
        }
        int most = state.cellCount().entrySet().stream().filter(e -> e.getKey() != me)
                .mapToInt(e -> e.getValue()).max().orElse(0);
        int lives = state.characters().stream().filter(c -> c.alive())
                .mapToInt(c -> c.color() == me + 1 ? LIFE : -LIFE).sum();
        return state.cellCount().get(me) - most + lives;
    }

    /** Returns actions that drop my bombs and lead the others out of danger, or to cells that are not mine. */
    private List<Action> walk(State state, List<Bomb> bombs) {
        var board = new Hexabomb(match, state);
        for (Character c : board.mine) {
            for (Bomb bomb : bombs) {
                if (bomb.coord().equals(c.coord())) board.dropBomb(c, bomb.range(), bomb.delay());
            }
        }
        for (Character c : board.mine) {
            Coord here = c.coord();
            Set<Coord> safe = board.safe();
            if (bombs.stream().anyMatch(bomb -> bomb.coord().equals(here))) continue;
            if (board.danger.contains(here)) board.step(c, here.firstStep(board.free, safe, 100));
            else board.step(c, here.firstStep(safe, board.notMine, 100));
        }
        return board.actions;
    }

    @Override
    public void end(State state, int winner) {
        simulator.close();
        System.out.println("I was player " + match.playerId + ", the scores are " + state.score());
    }

    public static void main(String[] args) {
        Hexarena.run("LookAhead", args, State::of, LookAhead::new);
    }
}
