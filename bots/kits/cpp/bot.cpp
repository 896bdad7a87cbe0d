// SPDX-License-Identifier: Apache-2.0

#include "hexabomb.hpp"
#include "hexarena.hpp"

using namespace hexarena;

// Paints cells, drops a bomb now and then, and steps out of the reach of all bombs.
struct MyBot : Bot<> {
    using Bot::Bot;

    std::vector<Action> turn(const State& state) override {
        Board board(match, state);
        for (const Character& c : board.mine) {
            CoordSet safe = board.safe(), refuge = without(safe, board.blast(c, 3));
            bool lucky = std::bernoulli_distribution(0.3)(match.random);
            if (board.danger.count(c) > 0) {
                board.step(c, first_step(c, board.free, safe, 100));
            } else if (c.bomb_count > 0 && lucky && first_step(c, board.free, refuge, 2)) {
                board.drop_bomb(c, 3, 3);  // I can get away from it
            } else {
                board.step(c, first_step(c, safe, board.not_mine, 100));
            }
        }
        match.debug.values["cells in danger"] = static_cast<double>(board.danger.size());
        return board.actions;
    }

    void end(const State& state, int /*winner*/) override {
        std::cout << "I was player " << match.player_id << ", my score is " << state.score.at(match.player_id) << "\n";
    }
};

int main(int argc, char** argv) { return run<MyBot>("bot", argc, argv); }
