// SPDX-License-Identifier: Apache-2.0
//
// A bot of hexarena, in C++17: a class that returns the actions of each turn. This kit talks to the server.
//
//   struct MyBot : hexarena::Bot<> {  // a new object for each match, its member `match`
//       using Bot::Bot;
//       std::vector<hexarena::Action> turn(const hexarena::State&) override { return {hexarena::Revive{0}}; }
//   };
//   int main(int argc, char** argv) { return hexarena::run<MyBot>("my bot", argc, argv); }

#pragma once
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>
#ifdef _WIN32
#define NOMINMAX
#include <winsock2.h>  // of the library ws2_32
#include <ws2tcpip.h>
#include <io.h>
namespace hexarena::os {
using Socket = SOCKET;
inline void start() { WSADATA data; WSAStartup(MAKEWORD(2, 2), &data); }
inline void close(Socket socket) { closesocket(socket); }
inline int last_error() { return WSAGetLastError(); }
inline bool interrupted() { return false; }
inline bool connect(Socket socket, const addrinfo& to) {
    return ::connect(socket, to.ai_addr, static_cast<int>(to.ai_addrlen)) == 0;
}
inline int spawn(const char*, const char*, int&) {
    throw std::runtime_error("this kit has a simulator on Unix only; on Windows use one in another language");
}
inline void wait(int) {}
}  // namespace hexarena::os
#else
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
namespace hexarena::os {
using Socket = int;
inline void start() { std::signal(SIGPIPE, SIG_IGN); }  // send reports a broken connection
inline void close(Socket socket) { ::close(socket); }
inline int last_error() { return errno; }
inline bool interrupted() { return errno == EINTR; }  // by a signal: the call is to be repeated
inline bool connect(Socket socket, const addrinfo& to) {
    if (::connect(socket, to.ai_addr, to.ai_addrlen) == 0) return true;
    if (!interrupted()) return false;
    pollfd connected{socket, POLLOUT, 0};  // the system goes on to connect
    while (poll(&connected, 1, -1) < 0 && interrupted()) {}
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error == 0;
}
// Starts hexarena env for a game and returns its process. The descriptor is for its input and its output.
inline int spawn(const char* program, const char* game, int& in, int& out) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    int child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        for (int open = 3; open < 256; ++open) ::close(open);  // such as the connection to the server
        execl(program, program, "env", "--json", "--game", game, nullptr);
        _exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    out = to[1];
    in = from[0];
    return child;
}
inline void wait(int child) { while (waitpid(child, nullptr, 0) < 0 && interrupted()) {} }
}  // namespace hexarena::os
#endif
namespace hexarena {
// A JSON value.
struct Json {
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // of equal names, the last counts
    std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;

    Json(std::nullptr_t = nullptr) {}
    Json(const char* text) : value(std::string(text)) {}
    Json(std::string text) : value(std::move(text)) {}
    Json(Array items) : value(std::move(items)) {}
    Json(Object members) : value(std::move(members)) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    Json(T number) : value(static_cast<std::conditional_t<std::is_same_v<T, bool>, bool, double>>(number)) {}

    // Reads one value, as strictly as RFC 8259 says, but for UTF-8, which is not checked; throws std::runtime_error.
    static Json parse(std::string_view text);

    // Returns the value if it is of that type, one of the variant's, otherwise throws std::invalid_argument.
    template <class T> const T& get() const {
        if (auto found = std::get_if<T>(&value)) return *found;
        throw std::invalid_argument("unexpected kind of JSON: " + dump().substr(0, 100));
    }
    // Returns the member of an object with that name, nullptr if it has no such member.
    const Json* find(std::string_view name) const {
        const auto& all = get<Object>();
        auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& member) { return member.first == name; });
        return found == all.rend() ? nullptr : &found->second;
    }
    // Returns a member of an object, otherwise throws std::invalid_argument.
    const Json& at(std::string_view name) const {
        if (auto found = find(name)) return *found;
        throw std::invalid_argument("no " + std::string(name) + " in " + dump().substr(0, 100));
    }
    // Returns the value as JSON, on one line.
    std::string dump() const {
        std::string text;
        append_to(text);
        return text;
    }

private:
    struct Parser;
    void append_to(std::string& text) const {
        auto list = [&](char open, char close, const auto& items, auto append) {
            char before = open;
            for (const auto& item : items) {
                text += std::exchange(before, ',');
                append(item);
            }
            if (items.empty()) text += open;
            text += close;
        };
        if (auto object = std::get_if<Object>(&value)) {
            list('{', '}', *object, [&](const auto& member) {
                append_quoted(member.first, text);
                text += ':';
                member.second.append_to(text);
            });
        } else if (auto array = std::get_if<Array>(&value)) {
            list('[', ']', *array, [&](const Json& item) { item.append_to(text); });
        } else if (auto quoted = std::get_if<std::string>(&value)) {
            append_quoted(*quoted, text);
        } else if (auto boolean = std::get_if<bool>(&value)) {
            text += *boolean ? "true" : "false";
        } else {
            auto n = std::get_if<double>(&value);
            text += n && std::isfinite(*n) ? written(*n) : "null";
        }
    }
    static std::string written(double n) {
        if (std::abs(n) < 1e15 && n == std::floor(n)) return std::to_string(static_cast<long long>(n));
        std::ostringstream number;
        number.imbue(std::locale::classic());  // whatever the bot has set
        number.precision(17);
        number << n;
        return number.str();
    }
    static void append_quoted(std::string_view plain, std::string& text) {
        constexpr auto digits = "0123456789abcdef";
        text += '"';
        for (char c : plain) {
            if (c == '"' || c == '\\') text += '\\';
            if (c >= 0 && c < ' ') (text += "\\u00") += {digits[c >> 4], digits[c & 15]};
            else text += c;
        }
        text += '"';
    }
};

struct Json::Parser {
    std::string_view text;
    std::size_t at = 0;
    int depth = 0;
    Json any() {
        switch (next()) {
        case '{': {
            Object members;
            elements('}', [&] {
                std::string name = string();
                expect(":");
                members.emplace_back(std::move(name), any());
            });
            return members;
        }
        case '[': {
            Array items;
            elements(']', [&] { items.push_back(any()); });
            return items;
        }
        case '"': return string();
        case 't': return expect("true"), true;
        case 'f': return expect("false"), false;
        case 'n': return expect("null"), nullptr;
        default: return number();
        }
    }
    template <class Element> void elements(char close, Element element) {
        if (++depth > 512) throw std::runtime_error("cannot read JSON: more than 512 levels");  // as in the server
        ++at;
        if (next() != close) {
            element();
            for (; next() == ','; element()) ++at;
        }
        expect({&close, 1});
        --depth;
    }
    double number() {
        std::size_t start = at;
        skip("-");
        if (!skip("0")) digits();
        if (skip(".")) digits();
        if (skip("eE")) {
            skip("+-");
            digits();
        }
        auto first = text.data() + start, last = text.data() + at;
        int whole = 0;  // also if the number is too large, and for -0
        if (std::from_chars(first, last, whole).ptr == last && (whole != 0 || *first == '0')) return whole;
        double number = 0;
        std::istringstream stream(std::string(first, last));
        stream.imbue(std::locale::classic());
        return stream >> number ? number : throw error();
    }
    void digits() {
        if (!skip("0123456789")) throw error();
        at = std::min(text.find_first_not_of("0123456789", at), text.size());
    }
    std::string string() {
        std::string string;
        for (expect("\""); !skip("\"");) {
            if (skip("\\")) append(escape(), string);
            else if (current() >= ' ') string += text[at++];
            else throw error();
        }
        return string;
    }
    // Reads an escape, or two that are a surrogate pair. Half a pair stands for U+FFFD, as in the server.
    char32_t escape() {
        constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (auto i = names.find(static_cast<char>(current())); i != names.npos)
            return ++at, static_cast<unsigned char>(meanings[i]);
        char32_t code = hex();
        if (std::size_t second = at; code >> 10 == 0x36 && text.substr(at, 2) == "\\u") {
            ++at;
            if (char32_t low = hex(); low >> 10 == 0x37) return 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
            at = second;
        }
        return code >> 11 == 0x1B ? 0xFFFD : code;
    }
    char32_t hex() {
        if (!skip("u")) throw error();
        auto begin = text.data() + at, end = begin + std::min<std::size_t>(4, text.size() - at);
        unsigned code = 0;
        if (std::from_chars(begin, end, code, 16).ptr != begin + 4) throw error();
        at += 4;
        return code;
    }
    static void append(char32_t code, std::string& to) {
        int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
        to += static_cast<char>(more == 0 ? code : 0xF0 << (3 - more) | code >> 6 * more);
        while (more-- > 0) to += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
    }
    // Skips white space and returns the byte after it.
    unsigned char next() {
        at = std::min(text.find_first_not_of(" \n\r\t", at), text.size());
        return current();
    }
    // Returns the byte at this place; 0, which JSON cannot contain, at the end.
    unsigned char current() const { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0; }
    bool skip(std::string_view one_of) {
        bool found = at < text.size() && one_of.find(text[at]) != one_of.npos;
        at += found;
        return found;
    }
    // Skips white space and a word.
    void expect(std::string_view word) {
        next();
        if (text.substr(at, word.size()) != word) throw error();
        at += word.size();
    }
    std::runtime_error error() const {
        return std::runtime_error("cannot read JSON: unexpected text or end at byte " + std::to_string(at));
    }
};

inline Json Json::parse(std::string_view text) {
    Parser parser{text};
    Json value = parser.any();
    if (parser.next(); parser.at < text.size()) throw parser.error();
    return value;
}

// read converts JSON; a bot for another game has one for its states, or uses Json. to_json converts actions to JSON.
inline void read(const Json& json, Json& value) { value = json; }
inline void read(const Json& json, bool& value) { value = json.get<bool>(); }
inline void read(const Json& json, double& value) { value = json.get<double>(); }
inline void read(const Json& json, std::string& value) { value = json.get<std::string>(); }
inline void read(const Json& json, int& value) {
    double number = json.get<double>();
    if (!(std::abs(number) < 2147483648.0) || number != std::floor(number))
        throw std::invalid_argument(json.dump() + " is not an integer");
    value = static_cast<int>(number);
}
template <class T> void read(const Json& json, std::vector<T>& value) {
    for (const Json& item : json.get<Json::Array>()) read(item, value.emplace_back());
}
template <class T> void read(const Json& json, std::map<int, T>& value) {
    for (const auto& [name, member] : json.get<Json::Object>()) read(member, value[std::stoi(name)]);
}
template <class T> void read(const Json* json, std::optional<T>& value) { if (json) read(*json, value.emplace()); }
template <class T, class... Rest> void read_members(const Json& json, const char* name, T& value, Rest&&... rest) {
    read(json.at(name), value);
    if constexpr (sizeof...(rest) > 0) read_members(json, std::forward<Rest>(rest)...);
}
inline const Json& to_json(const Json& json) { return json; }
template <class... T> Json to_json(const std::variant<T...>& value) {
    return std::visit([](const auto& held) { return to_json(held); }, value);
}
template <class T> Json to_json(const std::vector<T>& items) {
    Json::Array list;
    for (const T& item : items) list.push_back(to_json(item));
    return list;
}
template <class T> Json to_json(const std::optional<T>& value) { return value ? to_json(*value) : Json(); }

// A direction, by hexabomb's names.
struct Direction {
    const char* name;
    int dq, dr;
    friend Json to_json(const Direction& direction) { return direction.name; }
};
inline constexpr Direction directions[] = {
    {"x+", 1, 0}, {"y+", 1, -1}, {"z+", 0, -1}, {"x-", -1, 0}, {"y-", -1, 1}, {"z-", 0, 1},
};

// Axial coordinates, on the board or not. The sum with a direction is the next cell.
struct Coord {
    int q = 0, r = 0;

    friend void read(const Json& json, Coord& value) { read_members(json, "q", value.q, "r", value.r); }
    friend bool operator==(const Coord& a, const Coord& b) { return a.q == b.q && a.r == b.r; }
    friend bool operator<(const Coord& a, const Coord& b) { return a.q != b.q ? a.q < b.q : a.r < b.r; }
    friend Coord operator+(const Coord& a, const Direction& b) { return {a.q + b.dq, a.r + b.dr}; }
};
using CoordSet = std::set<Coord>;

// Returns the number of steps from one cell to another, as if there were no gaps.
inline int distance(const Coord& a, const Coord& b) {
    return (std::abs(a.q - b.q) + std::abs(a.r - b.r) + std::abs(a.q + a.r - b.q - b.r)) / 2;
}

// Returns up to n cells in a direction, from the next one to the last before the first gap of the board, a set or map.
template <class Board>
std::vector<Coord> ray(const Coord& from, const Direction& direction, int n, const Board& board) {
    std::vector<Coord> cells;
    for (Coord c = from + direction; n-- > 0 && board.count(c) > 0; c = c + direction) cells.push_back(c);
    return cells;
}

// A shortest way to a goal: its first step, its end and the number of its steps.
struct Way {
    Direction first;
    Coord goal;
    int steps = 0;
};

// Returns a shortest way over free cells to a goal, a free one as well, in at most limit steps.
inline std::optional<Way> nearest(const Coord& start, const CoordSet& free, const CoordSet& goals, int limit) {
    std::vector<Way> ways, longer;
    for (const Direction& direction : directions) ways.push_back({direction, start + direction, 1});
    CoordSet seen{start};
    for (int steps = 1; steps <= limit && !ways.empty(); ++steps) {
        for (const Way& way : ways) {
            if (free.count(way.goal) == 0 || !seen.insert(way.goal).second) continue;
            if (goals.count(way.goal) > 0) return way;
            for (const Direction& d : directions) longer.push_back({way.first, way.goal + d, steps + 1});
        }
        ways = std::exchange(longer, {});
    }
    return {};
}

// Returns the first step of nearest.
inline std::optional<Direction> first_step(const Coord& start, const CoordSet& free, const CoordSet& goals, int limit) {
    if (auto way = nearest(start, free, goals, limit)) return way->first;
    return {};
}

// types: generated from protocol/netorcai/model.json

struct Cell : Coord {  // a cell of the board
    int color = 0;  // 0 is neutral, otherwise player id plus one
    friend void read(const Json& json, Cell& v) { read_members(json, "q", v.q, "r", v.r, "color", v.color); }
};
struct Character : Coord {  // a character of a player
    int id = 0;
    int color = 0;  // player id plus one
    bool alive = false;
    int revive_delay = 0;  // turns until it can be revived; -1 while it is alive
    int bomb_count = 1;  // bombs that it holds; absent by the draft rules
    friend void read(const Json& json, Character& v) {
        read_members(json, "id", v.id, "color", v.color, "q", v.q, "r", v.r, "alive", v.alive,
                "revive_delay", v.revive_delay);
        if (auto given = json.find("bomb_count")) read(*given, v.bomb_count);
    }
};
struct Bomb : Coord {  // a bomb that has not exploded yet
    int color = 0;  // its owner's player id plus one
    int range = 0;  // reach in each direction, in cells
    int delay = 0;  // turns until it explodes; 1: in the next turn
    friend void read(const Json& json, Bomb& v) {
        read_members(json, "color", v.color, "range", v.range, "delay", v.delay, "q", v.q, "r", v.r);
    }
};
struct State {  // the board after a turn
    std::vector<Cell> cells;  // all cells, by q, then r
    std::vector<Character> characters;  // all characters, by id
    std::vector<Bomb> bombs;  // all bombs, in the order in which they were dropped
    std::map<int, std::vector<Coord>> explosions;  // exploded cells by their new colour; absent by the draft rules
    std::map<int, int> cell_count;  // number of cells of each player, by player id
    std::map<int, int> score;  // points of each player so far, by player id
    friend void read(const Json& json, State& v) {
        read_members(json, "cells", v.cells, "characters", v.characters, "bombs", v.bombs, "cell_count", v.cell_count,
                "score", v.score);
        if (auto given = json.find("explosions")) read(*given, v.explosions);
    }
};
struct Move {  // a step of a character to the next cell
    int id = 0;  // the character
    Direction direction;
    friend Json to_json(const Move& v) {
        return Json::Object{{"id", v.id}, {"movement", "move"}, {"direction", to_json(v.direction)}};
    }
};
struct DropBomb {  // a bomb that a character drops on its cell
    int id = 0;  // the character
    int bomb_range = 0;  // 2 to 4; up to 100 for a special player
    int bomb_delay = 0;  // 2 to 4; up to 100 for a special player
    friend Json to_json(const DropBomb& v) {
        return Json::Object{{"id", v.id}, {"movement", "bomb"}, {"bomb_range", v.bomb_range},
                {"bomb_delay", v.bomb_delay}};
    }
};
struct Revive {  // the revival of a character where it died
    int id = 0;  // the character
    friend Json to_json(const Revive& v) { return Json::Object{{"id", v.id}, {"movement", "revive"}}; }
};
struct ReviveAt {  // the revival of a character on a given cell, by the draft rules
    int id = 0;  // the character
    int revive_q = 0;
    int revive_r = 0;
    friend Json to_json(const ReviveAt& v) {
        return Json::Object{{"id", v.id}, {"movement", "revive"}, {"revive_q", v.revive_q}, {"revive_r", v.revive_r}};
    }
};
using Action = std::variant<Move, DropBomb, Revive, ReviveAt>;  // what a character does in a turn
struct PlayerInfo {  // a player, as visualizations see it
    int player_id = 0;
    std::string nickname;
    std::string remote_address;  // host:port
    bool is_connected = false;
    friend void read(const Json& json, PlayerInfo& v) {
        read_members(json, "player_id", v.player_id, "nickname", v.nickname, "remote_address", v.remote_address,
                "is_connected", v.is_connected);
    }
};

// end of types

// What spectators see beside the actions of a turn. It is empty at the beginning of each turn.
struct Debug {
    std::string text;
    std::map<std::string, double> values;  // the page draws a curve of each; JSON has finite ones only
    Json::Array cells;

    // Marks a cell. The color is one of CSS, such as "#f80"; color and label may be empty.
    void mark(const Coord& cell, const std::string& color, const std::string& label = "") {
        Json::Object members{{"q", cell.q}, {"r", cell.r}};
        if (!color.empty()) members.emplace_back("color", color);
        if (!label.empty()) members.emplace_back("label", label);
        cells.push_back(std::move(members));
    }
};

// A match. Times are in milliseconds.
template <class State> struct Match {
    int player_id = 0;  // ours; -1 for a visualization
    int players = 0, special_players = 0, turns = 0;
    double time_before_first_turn = 0, time_between_turns = 0;  // the latter is 0 at full speed
    State initial_state{};
    std::optional<int> number;             // in its series, from 1; sent to bots that stay
    std::optional<double> seed;            // an integer; sent to bots that stay
    std::mt19937_64 random;                // seeded: the same seed gives the same match
    std::vector<PlayerInfo> players_info;  // sent to visualizations
    Debug debug;
    int turn_number = -1;                                 // of the newest TURN
    std::chrono::steady_clock::time_point turn_received;  // the newest TURN
    std::string starts_text, newest_text;                 // the GAME_STARTS and the newest TURN, on one line
    // Returns the time until the end of this turn, at least 0; infinity at full speed.
    double time_left() const {
        std::chrono::duration<double, std::milli> used = std::chrono::steady_clock::now() - turn_received;
        return time_between_turns > 0 ? std::max(0.0, time_between_turns - used.count()) : HUGE_VAL;
    }
    friend void read(const Json& starts, Match& match) {
        read_members(starts, "player_id", match.player_id, "nb_players", match.players, "nb_special_players",
                     match.special_players, "nb_turns_max", match.turns, "milliseconds_before_first_turn",
                     match.time_before_first_turn, "milliseconds_between_turns", match.time_between_turns,
                     "initial_game_state", match.initial_state, "players_info", match.players_info);
        read(starts.find("match"), match.number);
        read(starts.find("seed"), match.seed);
        const char* fixed = std::getenv("BOT_SEED");
        auto seed = fixed ? std::hash<std::string>()(fixed) : std::random_device()();
        match.random.seed(match.seed ? static_cast<unsigned long long>(*match.seed) : seed);
    }
};

// Lines over two file descriptors.
struct Lines {
    int in = -1, out = -1;
    std::string rest{};  // that was read after the newest line

    // Returns the next line, without its end, or no value if there are no more.
    std::optional<std::string> receive() {
        char bytes[1 << 16];
        std::size_t seen = 0, end;
        while ((end = rest.find('\n', seen)) == rest.npos) {
            seen = rest.size();
            auto n = ::read(in, bytes, sizeof bytes);
            if (n == 0 || (n < 0 && !os::interrupted())) return {};
            rest.append(bytes, static_cast<std::size_t>(std::max<long>(n, 0)));
        }
        std::string line = rest.substr(0, end);
        rest.erase(0, end + 1);
        return line;
    }
    // Sends text. What goes wrong is left to receive.
    void send(const std::string& text) const {
        send_all(text, [&](const char* bytes, unsigned size) { return ::write(out, bytes, size); });
    }
    template <class Write> static void send_all(std::string_view text, Write write) {
        while (!text.empty()) {
            auto sent = write(text.data(), static_cast<unsigned>(text.size()));
            if (sent < 0 && os::interrupted()) continue;
            if (sent <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
};

// A bot. State and Action are hexabomb's unless others are given, such as Json for any game.
template <class S = State, class A = Action> struct Bot {
    using StateType = S;
    Match<S>& match;

    explicit Bot(Match<S>& its_match) : match(its_match) {}
    virtual ~Bot() = default;
    // Returns the actions of a turn.
    virtual std::vector<A> turn(const S& state) = 0;
    // Is called at the end of the match. The winner is a player id, or -1 if there is no winner.
    virtual void end(const S& /*state*/, int /*winner*/) {}
};

// A copy of the match in which the bot decides what all players do, played by `hexarena env`; not on Windows. After
// each method the members are those of the position. A mistake throws std::runtime_error and changes nothing.
template <class S = State> struct Simulator {
    int turn = 0;  // the number of the TURN that the players are to answer
    bool over = false;
    int winner = -1;         // the id of the player who leads
    std::vector<int> score;  // by player id

    // Starts the child, with the match before its first turn.
    explicit Simulator(const Match<S>& its_match, const std::string& game = "hexabomb") : match_(its_match) {
        const char* program = std::getenv("HEXARENA");
        if (!program || !*program)
            throw std::runtime_error("a simulator needs hexarena, and HEXARENA does not name it. hexarena sets it for the "
                                     "bots that it starts, in containers on Linux only; set it yourself to the path of the program");
        child_ = os::spawn(program, game.c_str(), lines_.in, lines_.out);
        try {
            ask("load", match_.starts_text);
        } catch (...) {
            end();
            throw;
        }
    }
    Simulator(Simulator&&) = delete;
    // Ends the child.
    ~Simulator() { end(); }

    // Goes to the newest turn of the match.
    void load() { ask("load", match_.newest_text); }
    // Plays a turn with the actions of each player, by id; those without a value do not answer.
    template <class A> void step(const std::vector<std::optional<std::vector<A>>>& actions) {
        ask("step", to_json(actions).dump());
    }
    // Keeps the position under a name.
    void save(const std::string& name) { ask("save", Json(name).dump()); }
    // Returns to a position, as often as needed.
    void restore(const std::string& name) { ask("restore", Json(name).dump()); }
    // Returns the state, as turn() gets it.
    S state() {
        S state{};
        read(ask("show", "\"state\"").at("state"), state);
        return state;
    }

private:
    const Match<S>& match_;
    int child_ = -1;
    Lines lines_{};

    void end() {
        close(lines_.in);
        close(lines_.out);
        os::wait(child_);
    }
    Json ask(const std::string& key, const std::string& value) {
        lines_.send("{\"show\":\"none\",\"" + key + "\":" + value + "}\n");  // of two keys show, the last counts
        auto line = lines_.receive();
        if (!line) throw std::runtime_error("hexarena env has ended");
        Json answer = Json::parse(*line);
        if (auto error = answer.find("error")) throw std::runtime_error(error->get<std::string>());
        score.clear();
        read_members(answer, "turn", turn, "over", over, "winner", winner, "score", score);
        return answer;
    }
};

// Fills a match of hexabomb for a test, and returns the state of its turn 0, which is drawn. A line of the drawing is
// a row of cells with the same r, from 0, and a character in it a q: '.' is neutral, a digit has the colour and a
// character of the player with that id, a letter from 'a' has the colour of player 0 and so on, a blank is no cell.
inline State test_match(Match<State>& match, const std::string& drawing, int player_id = 0, int seed = 1,
                        const std::vector<Bomb>& bombs = {}) {
    std::vector<std::string> rows;
    std::istringstream lines(drawing);
    std::size_t width = 0;
    for (std::string row; std::getline(lines, row); rows.push_back(row)) width = std::max(width, row.size());
    Json::Array cells, characters, dropped;
    std::multimap<int, Coord> standing;  // by colour
    std::map<int, int> counts;
    for (int id = 0; id < std::max(2, player_id + 1); ++id) counts[id] = 0;
    for (std::size_t q = 0; q < width; ++q) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            char c = q < rows[r].size() ? rows[r][q] : ' ';
            if (c == ' ') continue;
            auto owner = std::string_view("0123456789abcdefghij").find(c);
            int color = owner == std::string::npos ? 0 : static_cast<int>(owner % 10) + 1;
            for (int id = static_cast<int>(counts.size()); id < color; ++id) counts[id] = 0;
            if (color > 0) ++counts[color - 1];
            cells.push_back(Json::Object{{"q", q}, {"r", r}, {"color", color}});
            if (owner < 10) standing.emplace(color, Coord{static_cast<int>(q), static_cast<int>(r)});
        }
    }
    for (const auto& [color, at] : standing)
        characters.push_back(Json::Object{{"id", characters.size()}, {"color", color}, {"q", at.q}, {"r", at.r},
                                          {"alive", true}, {"revive_delay", -1}, {"bomb_count", 1}});
    for (const Bomb& b : bombs)
        dropped.push_back(Json::Object{{"color", b.color}, {"range", b.range}, {"delay", b.delay}, {"q", b.q}, {"r", b.r}});
    Json::Object count;
    for (const auto& [id, n] : counts) count.emplace_back(std::to_string(id), n);
    Json json = Json::Object{{"cells", cells}, {"characters", characters}, {"bombs", dropped},
                             {"explosions", Json::Object{}}, {"cell_count", count}, {"score", count}};
    Json starts = Json::Object{{"message_type", "GAME_STARTS"}, {"player_id", player_id}, {"nb_players", counts.size()},
                               {"nb_special_players", 0}, {"nb_turns_max", 100}, {"milliseconds_before_first_turn", 0},
                               {"milliseconds_between_turns", 0}, {"initial_game_state", json},
                               {"players_info", Json::Array{}}, {"seed", seed}};
    read(starts, match);
    match.starts_text = starts.dump();
    match.newest_text = Json(Json::Object{{"message_type", "TURN"}, {"turn_number", 0}, {"game_state", json}}).dump();
    match.turn_number = 0;
    State state;
    read(json, state);
    return state;
}

namespace detail {
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Options = std::map<std::string, std::string>;

// Returns what the environment says, or the command line in its place.
inline Options parse_options(const std::string& name, int argc, char** argv) {
    Options options{{"HOST", "127.0.0.1"}, {"PORT", "4242"}, {"--name", name}, {"--role", "player"}, {"--token", ""}};
    const Options variables{{"HOST", "BOT_HOST"},     {"PORT", "BOT_PORT"},   {"--name", "BOT_NICKNAME"},
                            {"--token", "BOT_TOKEN"}, {"--stay", "BOT_SEED"}, {"--stdio", "BOT_STDIO"}};
    for (const auto& [option, variable] : variables)
        if (const char* value = std::getenv(variable.c_str()); value && *value) options[option] = value;
    const std::set<std::string> valued{"--name", "--token", "--role"};
    for (int i = 1, places = 0; i < argc; ++i) {
        const std::string word = argv[i], option = word.substr(0, word.find('='));
        if (word == "--stay" || word == "--stdio") options[word] = word;
        else if (valued.count(option) > 0 && (option != word || i + 1 < argc))
            options[option] = option == word ? argv[++i] : word.substr(option.size() + 1);
        else if (word[0] != '-' && places < 2) options[places++ == 0 ? "HOST" : "PORT"] = word;
        else
            throw std::runtime_error("unexpected " + word + "; use [HOST [PORT]] [--name NAME] [--token TOKEN] " +
                                     "[--role player|\"special player\"|visualization] [--stay] [--stdio]");
    }
    const std::string& port = options["PORT"];
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != port.npos || std::stoi(port) > 65535)
        throw std::runtime_error("the port " + port + " is not a number below 65536");
    std::string code{std::istreambuf_iterator<char>(std::ifstream(argv[0], std::ios::binary).rdbuf()), {}};
    options["version"] = std::to_string(std::hash<std::string>()(code));  // tells versions of a bot apart
    std::string& nickname = options["--name"];  // without spaces and with ten characters at most
    int characters = 0;
    for (char c : std::exchange(nickname, ""))
        if ((characters += (c & 0xC0) != 0x80) <= 10)  // a character continues with bytes 10xxxxxx
            nickname += c == ' ' || (c >= '\t' && c <= '\r') ? '_' : c;
    return options;
}
inline Json login(const Options& options) {
    Json::Object login{{"message_type", "LOGIN"}, {"nickname", options.at("--name")}, {"role", options.at("--role")},
                       {"metaprotocol_version", "2.0.0"}, {"language", "C++"}, {"version", options.at("version")}};
    if (!options.at("--token").empty()) login.emplace_back("token", options.at("--token"));
    if (options.count("--stay") > 0) login.emplace_back("stay", true);
    std::ifstream status("/proc/self/status");  // Linux
    for (std::string line; std::getline(status, line);)
        if (line.rfind("TracerPid:", 0) == 0 && line.find_first_of("123456789") != line.npos)
            login.emplace_back("debugger", true);
    return login;
}
struct Disconnected : std::runtime_error { using runtime_error::runtime_error; };  // or could not connect

// Carries messages: as frames over TCP, as lines over standard input and output.
struct Connection {
    std::optional<Lines> stdio{};
    os::Socket socket{};

    explicit Connection(const Options& options) {
        if (options.count("--stdio") > 0) {
            stdio = Lines{0, dup(1)};
            dup2(2, 1);  // what the bot prints is no message
            return;
        }
        addrinfo hints{}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        if (getaddrinfo(options.at("HOST").c_str(), options.at("PORT").c_str(), &hints, &found) != 0)
            throw Disconnected("unknown host or port");
        std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
        int error = 0;
        for (; found; found = found->ai_next) {
            socket = ::socket(found->ai_family, found->ai_socktype, found->ai_protocol);
            if (os::connect(socket, *found)) {
                int on = 1;
                setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&on), sizeof on);
                setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, reinterpret_cast<const char*>(&on), sizeof on);
                return;
            }
            error = os::last_error();
            os::close(socket);
        }
        throw Disconnected(std::system_category().message(error));
    }
    Connection(Connection&&) = delete;
    ~Connection() { if (!stdio) os::close(socket); }
    std::string receive() {
        if (stdio) {
            if (auto line = stdio->receive()) return *line;
            throw Disconnected("the server closed the connection");
        }
        std::string header = read(4);
        unsigned length = 0;
        for (std::size_t i = 4; i-- > 0;) length = length << 8 | static_cast<unsigned char>(header[i]);
        if (length >= 1 << 24) throw std::runtime_error("the server's message is longer than 16777215 bytes");
        return read(length);
    }
    // Sends a message. What goes wrong is left to receive, which may first return the KICK that explains it.
    void send(const Json& message) {
        std::cout.flush();
        std::string frame = message.dump() + '\n';
        if (stdio) return stdio->send(frame);
        auto n = static_cast<unsigned>(frame.size());
        const char header[] = {char(n), char(n >> 8), char(n >> 16), char(n >> 24)};
        frame.insert(0, header, 4);  // one write: of two, Nagle's algorithm can delay the second
        Lines::send_all(frame, [&](const char* bytes, unsigned size) { return ::send(socket, bytes, size, 0); });
    }

    std::string read(std::size_t length) {
        std::string bytes(length, '\0');
        for (std::size_t at = 0; at < length;) {
            auto n = recv(socket, &bytes[at], static_cast<unsigned>(length - at), 0);
            if (n == 0) throw Disconnected("the server closed the connection");
            if (n < 0 && os::interrupted()) continue;
            if (n < 0) throw Disconnected(std::system_category().message(os::last_error()));
            at += static_cast<std::size_t>(n);
        }
        return bytes;
    }
};

// Plays matches, over one connection after another if they break.
template <class MyBot> struct Client {
    using State = typename MyBot::StateType;
    Options options;
    std::unique_ptr<Match<State>> match{};  // the newest
    std::unique_ptr<MyBot> bot{};           // plays the match; none before the first and between two
    bool finished = false;                  // the newest match was played to its end
    bool reported = false;                  // that debug is too long
    std::optional<std::chrono::milliseconds> wait{};  // before the last attempt to reconnect; 0 after a login
    Clock::time_point broken{};                       // when the connection broke

    // Returns the exit code.
    int play() {
        while (true) {
            try {
                return converse(Connection(options));
            } catch (const Disconnected& e) {
                if (finished && (options.count("--stay") == 0 || options.count("--stdio") > 0)) return 0;
                wait_to_reconnect(e.what());
            }
        }
    }
    int converse(Connection&& connection) {
        connection.send(login(options));
        while (true) {
            std::string content = connection.receive();
            auto received = Clock::now();
            Json message = parse(content);
            const auto& type = message.at("message_type").get<std::string>();  // others are newer than this kit
            if (type == "LOGIN_ACK") wait = 0ms;
            std::replace(content.begin(), content.end(), '\n', ' ');
            if (type == "GAME_STARTS") start(message, content);
            if (type == "TURN") connection.send(turn(message, received, content));
            if (type == "GAME_ENDS") end(message);
            if (type == "KICK") return kicked(message.at("kick_reason").get<std::string>());
        }
    }
    static Json parse(const std::string& content) try {
        Json message = Json::parse(content);
        message.at("message_type").get<std::string>();
        return message;
    } catch (const std::exception& e) {
        throw std::runtime_error(std::string("cannot read what the server sent: ") + e.what());
    }
    void start(const Json& message, const std::string& content) {
        auto next = std::make_unique<Match<State>>();
        read(message, *next);
        next->starts_text = next->newest_text = content;
        auto identity = [](const auto& m) { return std::tie(m->player_id, m->number, m->seed); };
        if (bot && identity(match) == identity(next)) return;  // we have reconnected
        bot.reset();
        match = std::move(next);
        bot = std::make_unique<MyBot>(*match);
        finished = false;
    }
    Json turn(const Json& message, Clock::time_point received, const std::string& content) {
        if (!bot) throw std::runtime_error("the server sent TURN before GAME_STARTS");
        State state{};
        match->players_info.clear();
        match->turn_received = received;
        match->newest_text = content;
        read_members(message, "turn_number", match->turn_number, "game_state", state, "players_info",
                     match->players_info);
        Json actions = to_json(bot->turn(state));
        if (options.at("--role") == "visualization") actions = Json::Array{};
        Json::Object turn_ack{{"message_type", "TURN_ACK"}, {"turn_number", match->turn_number}, {"actions", actions}};
        if (Json::Object debug = take_debug(); !debug.empty()) turn_ack.emplace_back("debug", std::move(debug));
        return turn_ack;
    }
    // Returns the debug of this turn, without its largest parts if it is too long.
    Json::Object take_debug() {
        Debug debug = std::exchange(match->debug, {});
        Json::Object parts, values;
        for (const auto& [name, value] : debug.values)
            if (std::isfinite(value)) values.emplace_back(name, value);
        if (!debug.text.empty()) parts.emplace_back("text", debug.text);
        if (!debug.cells.empty()) parts.emplace_back("cells", debug.cells);
        if (!values.empty()) parts.emplace_back("values", values);
        auto less = [](const auto& a, const auto& b) { return a.second.dump().size() < b.second.dump().size(); };
        while (Json(parts).dump().size() > 4096) {  // the server ignores a longer one
            auto largest = std::max_element(parts.begin(), parts.end(), less);
            if (!std::exchange(reported, true))
                std::cerr << "debug has more than 4096 bytes: its " << largest->first << " is left out\n";
            parts.erase(largest);
        }
        return parts;
    }
    void end(const Json& message) {
        State state{};
        int winner = -1;
        read_members(message, "game_state", state, "winner_player_id", winner);
        if (bot) bot->end(state, winner);
        bot.reset();
        finished = true;
    }
    // Reports whether the bot comes back after hours: a server that is restarted knows its token.
    bool is_patient() const {
        return options.count("--stay") > 0 && !options.at("--token").empty() && options.count("--stdio") == 0;
    }
    int kicked(const std::string& reason) const {
        if (reason == "netorcai abort" && is_patient() && wait) throw Disconnected("kicked: " + reason);
        if (!finished || reason != "Game is finished") std::cerr << "kicked: " << reason << '\n';
        if (reason.find("token is needed") != reason.npos)
            std::cerr << "Ask the server's operator for your token and add --token TOKEN (or set BOT_TOKEN).\n";
        return finished && reason != "Another connection took the seat" ? 0 : 1;
    }
    void wait_to_reconnect(const std::string& cause) {
        std::string address = options.at("HOST") + ":" + options.at("PORT");
        if (options.count("--stdio") > 0) throw std::runtime_error(cause);
        if (!wait) throw std::runtime_error("no server at " + address + ": " + cause + "; is hexarena running?");
        if (wait == 0ms) std::cerr << cause << "; connecting again\n";
        broken = wait == 0ms ? Clock::now() : broken;
        auto away = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - broken);
        std::chrono::seconds grace = is_patient() ? 12h : 30s;  // the server keeps a seat for 30 s
        if (away > grace)
            throw std::runtime_error("lost the server at " + address + " for " +
                                     std::to_string(grace.count()) + " s: " + cause);
        wait = std::clamp<std::chrono::milliseconds>(away / 8, 100ms, 15s);
        std::this_thread::sleep_for(*wait);
    }
};
}  // namespace detail

// Plays matches as the command line and the environment say, and returns the exit code of main: 0 if the last match was
// played to its end, otherwise 1.
template <class MyBot> int run(const std::string& name, int argc, char** argv) try {
    os::start();
    return detail::Client<MyBot>{detail::parse_options(name, argc, argv)}.play();
} catch (const std::exception& e) {
    std::cerr << "error: " << e.what() << std::endl;
    return 1;
}
}  // namespace hexarena
