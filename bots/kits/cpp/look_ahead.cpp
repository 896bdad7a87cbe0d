// SPDX-License-Identifier: Apache-2.0

#include "hexabomb.hpp"
#include "hexarena.hpp"

using namespace hexarena;

constexpr int look_ahead_turns = 5;  // the turn of a bomb, and its longest delay
constexpr int gain = 8;  // cells that a bomb must gain: it may gain more in a later turn
constexpr int life = 8;  // cells that a character is worth: while it is dead, it paints none for some turns

// Paints cells, steps out of the reach of all bombs, and tries each bomb out before it drops one.
struct MyBot : Bot<> {
    Simulator<> simulator;

    explicit MyBot(Match<State>& its_match) : Bot(its_match), simulator(its_match) {}

    std::vector<Action> turn(const State& state) override {
        simulator.load();
        simulator.save("now");
        std::vector<Bomb> bombs;
        std::vector<Action> best = walk(state, bombs);
        int most = worth(best);
        for (const Character& c : Board(match, state).mine) {
            const std::vector<Bomb> before = bombs;
            for (int delay = 2; delay <= 4 && c.bomb_count > 0; ++delay) {
                if (match.time_left() < 100) return best;  // milliseconds
                std::vector<Bomb> tried = before;
                tried.push_back({c, c.color, 4, delay});
                std::vector<Action> actions = walk(state, tried);
                if (int value = worth(actions); value >= most + gain) {
                    best = actions;
                    bombs = tried;
                    most = value;
                }
            }
        }
        match.debug.values["lead in five turns"] = most;
        return best;
    }

    // Returns my lead after some turns, in which I act like this and then walk, and others stand.
    int worth(std::vector<Action> actions) {
        const int me = match.player_id;
        simulator.restore("now");
        State state;
        for (int i = 0; i < look_ahead_turns && !(i > 0 && simulator.over); ++i) {
            std::vector<std::optional<std::vector<Action>>> all(simulator.score.size());
            all[static_cast<std::size_t>(me)] = actions;
            simulator.step(all);
            state = simulator.state();
            actions = walk(state, {});
        }
        int most = 0, lives = 0;
        for (const auto& [player, n] : state.cell_count)
            if (player != me) most = std::max(most, n);
        for (const Character& c : state.characters)
            if (c.alive) lives += c.color == me + 1 ? life : -life;
        return state.cell_count.at(me) - most + lives;
    }

    // Returns actions that drop my bombs and lead the others out of danger, or to cells that are not mine.
    std::vector<Action> walk(const State& state, const std::vector<Bomb>& bombs) {
        Board board(match, state);
        CoordSet dropped;
        for (const Character& c : board.mine)
            for (const Bomb& bomb : bombs)
                if (static_cast<const Coord&>(bomb) == c && dropped.insert(c).second)
                    board.drop_bomb(c, bomb.range, bomb.delay);
        for (const Character& c : board.mine) {
            CoordSet safe = board.safe();
            if (dropped.count(c) > 0) continue;
            if (board.danger.count(c) > 0) board.step(c, first_step(c, board.free, safe, 100));
            else board.step(c, first_step(c, safe, board.not_mine, 100));
        }
        return board.actions;
    }

    void end(const State& state, int /*winner*/) override {
        std::cout << "I was player " << match.player_id << ", my score is " << state.score.at(match.player_id) << "\n";
    }
};

int main(int argc, char** argv) { return run<MyBot>("bot", argc, argv); }
