// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Paints cells, drops a bomb now and then, and steps out of the reach of all bombs. */
public class Bot implements Hexarena<Hexarena.State> {
    private final Match<State> match;

    Bot(Match<State> match) {
        this.match = match;
    }

    @Override
    public List<Action> turn(State state) {
        int color = match.playerId + 1;
        Map<Coord, Integer> board = new HashMap<>(); // the color of each cell
        state.cells().forEach(cell -> board.put(cell.coord(), cell.color()));
        Set<Coord> free = new HashSet<>(board.keySet()); // without a character or a bomb
        state.characters().stream().filter(Character::alive).forEach(c -> free.remove(c.coord()));
        Set<Coord> danger = new HashSet<>(); // cells that will explode
        for (Bomb bomb : state.bombs()) {
            free.remove(bomb.coord());
            danger.addAll(explosion(bomb.coord(), bomb.range(), board.keySet()));
        }
        Set<Coord> goals = new HashSet<>(board.keySet()); // cells to paint
        goals.removeIf(cell -> board.get(cell) == color);

        List<Action> actions = new ArrayList<>();
        for (Character c : state.characters()) {
            if (c.color() != color) {
                continue;
            } else if (!c.alive()) {
                if (c.reviveDelay() == 0 && match.specialPlayers == 0 && free.remove(c.coord())) {
                    actions.add(new Revive(c.id()));
                }
                continue;
            }
            Set<Coord> safe = without(free, danger);
            Set<Coord> blast = explosion(c.coord(), 3, board.keySet());
            if (c.bombCount() > 0 && !danger.contains(c.coord()) && match.random.nextInt(10) < 3
                    && c.coord().firstStep(free, without(safe, blast), 2).isPresent()) { // I can get away from it
                actions.add(new DropBomb(c.id(), 3, 3));
                danger.addAll(blast);
                continue;
            }
            var step = danger.contains(c.coord())
                    ? c.coord().firstStep(free, safe, 100)
                    : c.coord().firstStep(safe, goals, 100);
            step.ifPresent(direction -> {
                actions.add(new Move(c.id(), direction));
                free.remove(c.coord().neighbour(direction));
            });
        }
        match.debug.value("cells in danger", danger.size());
        return actions;
    }

    @Override
    public void end(State state, int winner) {
        System.out.println("I was player " + match.playerId + ", the scores are " + state.score());
    }

    /** Returns the cells that a bomb covers: its own and up to six lines. */
    private static Set<Coord> explosion(Coord bomb, int range, Set<Coord> board) {
        Set<Coord> cells = new HashSet<>(Set.of(bomb));
        for (Direction direction : Direction.values()) {
            cells.addAll(bomb.ray(direction, range, board));
        }
        return cells;
    }

    private static Set<Coord> without(Set<Coord> cells, Set<Coord> others) {
        Set<Coord> rest = new HashSet<>(cells);
        rest.removeAll(others);
        return rest;
    }

    public static void main(String[] args) {
        Hexarena.run("Bot", args, State::of, Bot::new);
    }
}
