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
    void obey(const Json& state) {
        if (const Json* text = state.find("print")) {
            std::cout << text->get<std::string>() << std::endl;
        }
        if (const Json* text = state.find("fail")) {
            throw std::runtime_error(text->get<std::string>());
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
