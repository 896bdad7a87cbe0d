// SPDX-License-Identifier: Apache-2.0
//
// The part of the kit for hexabomb: the board as sets of cells, and orders that change it.

#pragma once
#include "hexarena.hpp"

namespace hexarena {

// Returns the cells of a set that another one does not have.
inline CoordSet without(CoordSet cells, const CoordSet& others) {
    for (const Coord& cell : others) cells.erase(cell);
    return cells;
}

// A state as a player sees it, and the player's orders of the turn, which change its sets.
struct Board {
    CoordSet cells;
    CoordSet free;      // without a living character and a bomb
    CoordSet danger;    // in reach of a bomb, however long it takes to explode
    CoordSet not_mine;  // of another color than the player's
    std::vector<Character> mine;  // the player's, alive
    std::vector<Action> actions;  // the orders

    // Makes the board of a state, with an order to revive for each dead character that can.
    Board(const Match<State>& match, const State& state) {
        const int color = match.player_id + 1;
        for (const Cell& cell : state.cells) {
            cells.insert(cell);
            if (cell.color != color) not_mine.insert(cell);
        }
        free = cells;
        for (const Bomb& bomb : state.bombs) {
            free.erase(bomb);
            danger.merge(blast(bomb, bomb.range));
        }
        for (const Character& c : state.characters)
            if (c.alive) free.erase(c);
        for (const Character& c : state.characters) {
            if (c.color != color) continue;
            bool can_revive = c.revive_delay == 0 && match.special_players == 0;
            if (c.alive) mine.push_back(c);
            else if (can_revive && free.erase(c) > 0) actions.push_back(ReviveAt{c.id, c.q, c.r});  // 1.1 ignores the cell
        }
    }

    // Returns the free cells that no bomb covers.
    CoordSet safe() const { return without(free, danger); }

    // Returns the cells that a bomb covers: its own and six lines.
    CoordSet blast(const Coord& bomb, int range) const {
        CoordSet covered{bomb};
        for (const Direction& direction : directions)
            for (const Coord& cell : ray(bomb, direction, range, cells)) covered.insert(cell);
        return covered;
    }

    // Orders a character to drop a bomb.
    void drop_bomb(const Character& c, int range, int delay) {
        actions.push_back(DropBomb{c.id, range, delay});
        danger.merge(blast(c, range));
    }

    // Orders a character to take a step, if there is one, such as the first of a way.
    void step(const Character& c, const std::optional<Direction>& direction) {
        if (!direction) return;
        actions.push_back(Move{c.id, *direction});
        free.erase(c + *direction);
    }
};
}  // namespace hexarena
