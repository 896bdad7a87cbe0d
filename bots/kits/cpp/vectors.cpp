// SPDX-License-Identifier: Apache-2.0

// The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md.

#include "hexarena.hpp"

#include <cstring>
#include <locale>
#ifndef _WIN32
#include <sys/time.h>
#endif

using namespace hexarena;

// The FNV-1a hash of a state.
class Digest {
public:
    std::string of(const Json& state) {
        add(state);
        char digits[9];
        std::snprintf(digits, sizeof digits, "%08x", hash_);
        return digits;
    }

private:
    void add(const Json& json) {
        std::visit([this](const auto& value) { add_value(value); }, json.value);
    }

    void add_value(std::nullptr_t) { bytes("n"); }
    void add_value(bool value) { bytes(value ? "t" : "f"); }
    void add_value(double value) {
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        bytes("d");
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes(std::string(1, static_cast<char>(bits >> shift)));
        }
    }
    void add_value(const std::string& value) {
        bytes("s");
        bytes(value);
        bytes("\xff");
    }
    void add_value(const Json::Array& items) {
        bytes("[");
        for (const Json& item : items) {
            add(item);
        }
        bytes("]");
    }
    void add_value(const Json::Object& members) {
        std::map<std::string, const Json*> sorted;
        for (const auto& [name, member] : members) {
            sorted[name] = &member;
        }
        bytes("{");
        for (const auto& [name, member] : sorted) {
            add_value(name);
            add(*member);
        }
        bytes("}");
    }

    void bytes(const std::string& text) {
        for (char c : text) {
            hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 16777619u;
        }
    }

    std::uint32_t hash_ = 2166136261u;
};

void report(Json::Object call) { std::cerr << Json(std::move(call)).dump() << std::endl; }

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

struct Vectors : Bot<Json, Json> {
    explicit Vectors(Match<Json>& its_match) : Bot(its_match) {
        report({{"call", "start"},
                {"player_id", match.player_id},
                {"nb_players", match.players},
                {"nb_special_players", match.special_players},
                {"nb_turns_max", match.turns},
                {"milliseconds_before_first_turn", match.time_before_first_turn},
                {"milliseconds_between_turns", match.time_between_turns},
                {"infos", match.players_info.size()},
                {"match", or_null(match.number)},
                {"seed", or_null(match.seed)},
                {"draw", match.random() >> 12},
                {"digest", Digest().of(match.initial_state)}});
    }

    std::vector<Json> turn(const Json& state) override {
        report({{"call", "turn"},
                {"number", match.turn_number},
                {"infos", match.players_info.size()},
                {"limited", std::isfinite(match.time_left())},
                {"digest", Digest().of(state)}});
        if (std::holds_alternative<Json::Object>(state.value)) {
            obey(state);
        }
        return {Json::Object{{"echo", match.turn_number}}};
    }

    void end(const Json& state, int winner) override {
        report({{"call", "end"}, {"winner", winner}, {"digest", Digest().of(state)}});
    }

private:
    // Makes requests, and reports the position after each, or the mistake.
    void simulate(const Json::Array& requests) {
        Simulator<Json> simulator(match);
        for (const Json& request : requests) {
            try {
                if (request.find("load")) {
                    simulator.load();
                }
                if (const Json* name = request.find("save")) {
                    simulator.save(name->get<std::string>());
                }
                if (const Json* name = request.find("restore")) {
                    simulator.restore(name->get<std::string>());
                }
                if (const Json* all = request.find("step")) {
                    std::vector<std::optional<std::vector<Json>>> answers;
                    for (const Json& actions : all->get<Json::Array>()) {
                        auto list = std::get_if<Json::Array>(&actions.value);
                        answers.push_back(list ? std::optional(*list) : std::nullopt);
                    }
                    simulator.step(answers);
                }
                Json::Array score(simulator.score.begin(), simulator.score.end());
                report({{"call", "simulate"},
                        {"turn", simulator.turn},
                        {"over", simulator.over},
                        {"winner", simulator.winner},
                        {"score", score},
                        {"digest", Digest().of(simulator.state())}});
            } catch (const std::runtime_error& e) {
                report({{"call", "simulate"}, {"error", e.what()}});
            }
        }
    }

    // Reports the numbers in a match that is drawn, in an order.
    static void draw(const Json& drawn) {
        std::string drawing;
        int player = 0, seed = 0;
        std::vector<Bomb> bombs;
        read_members(drawn, "drawing", drawing, "player_id", player, "seed", seed, "bombs", bombs);
        Match<State> drawn_match;
        State state = test_match(drawn_match, drawing, player, seed, bombs);
        Simulator<> simulator(drawn_match);
        simulator.load();
        Json::Array numbers{drawn_match.player_id, drawn_match.players, drawn_match.turn_number, *drawn_match.seed};
        auto add = [&](std::initializer_list<int> list) { numbers.insert(numbers.end(), list.begin(), list.end()); };
        for (const Cell& c : state.cells) add({c.q, c.r, c.color});
        for (const Character& c : state.characters) add({c.id, c.color, c.q, c.r, c.bomb_count});
        for (const Bomb& b : state.bombs) add({b.color, b.range, b.delay, b.q, b.r});
        Json::Array score(simulator.score.begin(), simulator.score.end());
        report({{"call", "drawn"}, {"numbers", numbers}, {"score", score}});
    }

    void obey(const Json& state) {
        if (const Json* text = state.find("print")) {
            std::cout << text->get<std::string>() << std::endl;
        }
        if (const Json* text = state.find("fail")) {
            throw std::runtime_error(text->get<std::string>());
        }
        if (const Json* requests = state.find("simulate")) {
            simulate(requests->get<Json::Array>());
        }
        if (const Json* drawn = state.find("drawn")) {
            draw(*drawn);
        }
        const Json* debug = state.find("debug");
        if (!debug) {
            return;
        }
        if (const Json* text = debug->find("text")) {
            match.debug.text = text->get<std::string>();
        }
        if (const Json* values = debug->find("values")) {
            for (const auto& [name, value] : values->get<Json::Object>()) {
                match.debug.values[name] = value.get<double>();
            }
        }
        if (const Json* names = debug->find("nan")) {
            for (const Json& name : names->get<Json::Array>()) {
                match.debug.values[name.get<std::string>()] = std::nan("");
            }
        }
        if (const Json* cells = debug->find("cells")) {
            for (const Json& cell : cells->get<Json::Array>()) {
                auto text = [&](const char* name) { return cell.find(name) ? cell.at(name).get<std::string>() : ""; };
                Coord coord;
                read(cell, coord);
                match.debug.mark(coord, text("color"), text("label"));
            }
        }
    }
};

// How a bot may have set numbers to be written: JSON does not follow it.
struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

#ifndef _WIN32
// Has signals interrupt what the kit waits for, a hundred times a second.
void interrupt() {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, nullptr);
    itimerval often{{0, 10000}, {0, 10000}};
    setitimer(ITIMER_REAL, &often, nullptr);
}
#else
void interrupt() {}
#endif

int main(int argc, char** argv) {
    interrupt();
    std::locale::global(std::locale(std::locale(), new Comma));
    return run<Vectors>("vectors", argc, argv);
}
