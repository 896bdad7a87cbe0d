// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import java.util.Set;

/** Paints cells, drops a bomb now and then, and steps out of the reach of all bombs. */
public class Bot implements Hexarena<Hexarena.State> {
    private final Match<State> match;

    Bot(Match<State> match) {
        this.match = match;
    }

    @Override
    public List<Action> turn(State state) {
        var board = new Hexabomb(match, state);
        for (Character c : board.mine) {
            Coord here = c.coord();
            Set<Coord> safe = board.safe(), refuge = Hexabomb.without(safe, board.blast(here, 3));
            if (board.danger.contains(here)) {
                board.step(c, here.firstStep(board.free, safe, 100));
            } else if (c.bombCount() > 0 && match.random.nextInt(10) < 3
                    && here.firstStep(board.free, refuge, 2).isPresent()) { // I can get away from it
                board.dropBomb(c, 3, 3);
            } else {
                board.step(c, here.firstStep(safe, board.notMine, 100));
            }
        }
        match.debug.value("cells in danger", board.danger.size());
        return board.actions;
    }

    @Override
    public void end(State state, int winner) {
        System.out.println("I was player " + match.playerId + ", the scores are " + state.score());
    }

    public static void main(String[] args) {
        Hexarena.run("Bot", args, State::of, Bot::new);
    }
}
