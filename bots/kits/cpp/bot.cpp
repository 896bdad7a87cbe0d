// SPDX-License-Identifier: Apache-2.0

#include "hexarena.hpp"

using namespace hexarena;

// Returns the cells that a bomb covers: its own and up to six lines.
CoordSet explosion(const Coord& bomb, int range, const std::map<Coord, int>& board) {
    CoordSet cells{bomb};
    for (const Direction& direction : directions) {
        for (const Coord& cell : ray(bomb, direction, range, board)) {
            cells.insert(cell);
        }
    }
    return cells;
}

CoordSet without(CoordSet cells, const CoordSet& others) {
    for (const Coord& cell : others) {
        cells.erase(cell);
    }
    return cells;
}

// Paints cells, drops a bomb now and then, and steps out of the reach of all bombs.
struct MyBot : Bot<> {
    using Bot::Bot;

    std::vector<Action> turn(const State& state) override {
        int color = match.player_id + 1;
        std::map<Coord, int> board;  // the color of each cell
        CoordSet free, goals, danger;
        for (const Cell& cell : state.cells) {
            board[cell] = cell.color;
            free.insert(cell);
            if (cell.color != color) {
                goals.insert(cell);
            }
        }
        for (const Character& c : state.characters) {
            if (c.alive) {
                free.erase(c);
            }
        }
        for (const Bomb& bomb : state.bombs) {
            free.erase(bomb);
            danger.merge(explosion(bomb, bomb.range, board));
        }

        std::vector<Action> actions;
        for (const Character& c : state.characters) {
            if (c.color != color) {
                continue;
            }
            if (!c.alive) {
                if (c.revive_delay == 0 && match.special_players == 0 && free.erase(c) > 0) {
                    actions.push_back(Revive{c.id});
                }
                continue;
            }
            CoordSet safe = without(free, danger), blast = explosion(c, 3, board);
            bool lucky = std::bernoulli_distribution(0.3)(match.random);
            if (c.bomb_count > 0 && lucky && danger.count(c) == 0 && first_step(c, free, without(safe, blast), 2)) {
                actions.push_back(DropBomb{c.id, 3, 3});  // I can get away from it
                danger.merge(blast);
                continue;
            }
            auto step = danger.count(c) > 0 ? first_step(c, free, safe, 100) : first_step(c, safe, goals, 100);
            if (step) {
                actions.push_back(Move{c.id, *step});
                free.erase(c + *step);
            }
        }
        match.debug.values["cells in danger"] = static_cast<double>(danger.size());
        return actions;
    }

    void end(const State& state, int /*winner*/) override {
        std::cout << "The match is over. I was player " << match.player_id << ", my score is " << state.score.at(match.player_id) << "\n";
    }
};

int main(int argc, char** argv) { return run<MyBot>("bot", argc, argv); }
