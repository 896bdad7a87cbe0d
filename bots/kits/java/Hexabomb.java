// SPDX-License-Identifier: Apache-2.0

import java.util.*;

/** A state of hexabomb as a player sees it, and the player's orders of the turn, which change its sets. */
public final class Hexabomb {
    public final Set<Hexarena.Coord> cells = new HashSet<>();
    /** The cells without a living character and a bomb. */
    public final Set<Hexarena.Coord> free = new HashSet<>();
    /** The cells in reach of a bomb, however long it takes to explode. */
    public final Set<Hexarena.Coord> danger = new HashSet<>();
    /** The cells of another color than the player's. */
    public final Set<Hexarena.Coord> notMine = new HashSet<>();
    /** The player's characters that are alive. */
    public final List<Hexarena.Character> mine = new ArrayList<>();
    /** The orders. */
    public final List<Hexarena.Action> actions = new ArrayList<>();

    /** Makes the view of a state, with an order to revive for each dead character that can. */
    public Hexabomb(Hexarena.Match<?> match, Hexarena.State state) {
        int color = match.playerId + 1;
        for (var cell : state.cells()) {
            cells.add(cell.coord());
            if (cell.color() != color) notMine.add(cell.coord());
        }
        free.addAll(cells);
        for (var bomb : state.bombs()) {
            free.remove(bomb.coord());
            danger.addAll(blast(bomb.coord(), bomb.range()));
        }
        for (var c : state.characters()) {
            if (c.alive()) free.remove(c.coord());
        }
        for (var c : state.characters()) {
            if (c.color() != color) continue;
            if (c.alive()) {
                mine.add(c);
            } else if (c.reviveDelay() == 0 && match.specialPlayers == 0 && free.remove(c.coord())) {
                // All rules but the draft ignore the cell.
                actions.add(new Hexarena.ReviveAt(c.id(), c.coord().q(), c.coord().r()));
            }
        }
    }

    /** Returns the free cells that no bomb covers. */
    public Set<Hexarena.Coord> safe() { return without(free, danger); }

    /** Returns the cells that a bomb covers: its own and six lines. */
    public Set<Hexarena.Coord> blast(Hexarena.Coord bomb, int range) {
        var covered = new HashSet<>(Set.of(bomb));
        for (var direction : Hexarena.Direction.values()) covered.addAll(bomb.ray(direction, range, cells));
        return covered;
    }

    /** Orders a character to drop a bomb. */
    public void dropBomb(Hexarena.Character c, int range, int delay) {
        actions.add(new Hexarena.DropBomb(c.id(), range, delay));
        danger.addAll(blast(c.coord(), range));
    }

    /** Orders a character to take a step, if there is one, such as the first of a way. */
    public void step(Hexarena.Character c, Optional<Hexarena.Direction> direction) {
        direction.ifPresent(d -> {
            actions.add(new Hexarena.Move(c.id(), d));
            free.remove(c.coord().neighbour(d));
        });
    }

    /** Returns the cells of a set that another one does not have. */
    public static Set<Hexarena.Coord> without(Set<Hexarena.Coord> cells, Set<Hexarena.Coord> others) {
        var rest = new HashSet<>(cells);
        rest.removeAll(others);
        return rest;
    }
}
