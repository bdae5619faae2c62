"""Random documents, valid, nearly valid and mutated, and what graphql-core says of each.

Usage: graphql_core_validate.py SCHEMA SEED COUNT
Prints a JSON object a line: {"document": …, "errors": [[message, [[line, column], …]], …]}, or "errors": null where
graphql-core itself fails on the document. Documents that do not parse are left out.
"""

import json
import random
import re
import sys

from graphql import (
    GraphQLEnumType, GraphQLInputObjectType, GraphQLInterfaceType, GraphQLList, GraphQLNonNull, GraphQLObjectType,
    GraphQLUnionType, build_schema, get_named_type, parse, validate,
)
from graphql.error import GraphQLSyntaxError
from graphql.validation.rules import overlapping_fields_can_be_merged as merging

schema = build_schema(open(sys.argv[1]).read())
rng = random.Random(int(sys.argv[2]))
composites = [t for n, t in schema.type_map.items()
              if not n.startswith("__") and isinstance(t, (GraphQLObjectType, GraphQLInterfaceType, GraphQLUnionType))]
type_names = [n for n in schema.type_map if not n.startswith("__")] + ["Nowhere"]


def chance(p):
    return rng.random() < p


class Documents:
    """One document; `slips` is how likely each step goes wrong."""

    def __init__(self, slips):
        self.slips = slips
        self.fragments = {}
        self.wanted = []
        self.variables = {}
        self.calls = {}
        self.in_fragment = False
        self.current = -1

    def slip(self):
        return chance(self.slips)

    def document(self):
        parts = [self.operation(index) for index in range(rng.choice([1, 1, 1, 1, 2, 3]))]
        self.in_fragment = True
        while self.wanted:
            name = self.wanted.pop()
            parts.append(self.fragment(name))
        if self.slip():
            parts.append(self.fragment("Unused", rng.choice(composites)))
        rng.shuffle(parts)
        return "\n".join(parts)

    def operation(self, index):
        self.variables = {}
        kind = rng.choice(["query"] * 6 + ["mutation", "subscription"])
        root = {"query": schema.query_type, "mutation": schema.mutation_type,
                "subscription": schema.subscription_type}[kind]
        if kind == "subscription" and not self.slip():
            selections = "{ " + self.field(root, 3) + " }"
        else:
            selections = self.selections(root, 4)
        declared = ", ".join(f"${name}: {type_}{default}" + (" @onVariable" if chance(0.05) else "")
                             for name, (type_, default) in self.variables.items())
        if self.slip():
            declared = ", ".join(filter(None, [declared, "$unused: Int"]))
        name = f"Operation{index}" if not self.slip() else rng.choice(["", "Operation0"])
        directive = " @onQuery" if chance(0.05) else ""
        if name or declared or directive or kind != "query":
            return f"{kind} {name}{'(' + declared + ')' if declared else ''}{directive} {selections}"
        return selections

    def selections(self, type_, depth):
        return "{ " + "\n".join(self.selection(type_, depth) for _ in range(rng.choice([1, 1, 2, 2, 3, 4]))) + " }"

    def selection(self, type_, depth):
        roll = rng.random()
        if roll < 0.12 and depth > 0:
            condition = "" if chance(0.3) else " on " + self.condition(type_)
            inner = type_ if not condition else schema.type_map.get(condition[4:])
            if not isinstance(inner, (GraphQLObjectType, GraphQLInterfaceType, GraphQLUnionType)):
                inner = type_
            return f"...{condition}{self.directives(0.06, ' @onField(limit: 3)')} {self.selections(inner, depth - 1)}"
        if roll < 0.27 and depth > 0:
            return "..." + self.spread(type_) + self.directives(0.06, " @onField(limit: 3)")
        return self.field(type_, depth)

    def condition(self, type_):
        if self.slip():
            return rng.choice(type_names)
        return rng.choice([type_.name] + [t.name for t in schema.get_possible_types(type_)]
                          if not isinstance(type_, GraphQLObjectType)
                          else [type_.name] + [i.name for i in type_.interfaces])

    def spread(self, type_):
        if self.slip():
            return rng.choice(["Missing"] + list(self.fragments)) if self.fragments else "Missing"
        # Only later ones, so that fragments go in circles by slips alone.
        fitting = [n for n, t in self.fragments.items() if t is type_ and int(n[8:]) > self.current]
        if fitting and chance(0.6):
            return rng.choice(fitting)
        name = f"Fragment{len(self.fragments)}"
        self.fragments[name] = type_
        self.wanted.append(name)
        return name

    def fragment(self, name, type_=None):
        type_ = type_ or self.fragments[name]
        self.current = int(name[8:]) if name in self.fragments else -1
        depth = 2 if len(self.fragments) < 8 else 0
        condition = rng.choice(type_names) if chance(self.slips / 4) else type_.name
        note = ' @note(text: "x")' if chance(0.03) else ""
        return f"fragment {name} on {condition}{note} {self.selections(type_, depth)}"

    def field(self, type_, depth):
        if isinstance(type_, GraphQLUnionType):
            return self.selection(type_, depth) if chance(0.5) and depth > 0 else "__typename"
        names = [n for n, f in type_.fields.items()
                 if depth > 0 or not hasattr(get_named_type(f.type), "fields")
                 and not isinstance(get_named_type(f.type), GraphQLUnionType)]
        if not names:
            return "__typename"
        name = rng.choice(names)
        field = type_.fields[name]
        # The same arguments each time, so that fields under one key most often go together.
        call = (type_.name, name)
        if call not in self.calls or chance(self.slips):
            self.calls[call] = self.arguments(field.args)
        arguments = self.calls[call] if "$" not in self.calls[call] or not self.in_fragment else ""
        alias = rng.choice(["a: ", "b: ", name + ": "]) if chance(self.slips * 4) else ""
        if self.slip():
            name = rng.choice([name + "s", name[:-1], "nam", "id", "size", "__typename"])
            if name == "__typename":
                alias = ""
        named = get_named_type(field.type)
        is_composite = isinstance(named, (GraphQLObjectType, GraphQLInterfaceType, GraphQLUnionType))
        inner = " " + self.selections(named, depth - 1) if is_composite else ""
        if self.slip() and chance(0.3):
            inner = "" if inner else " { id }"
        return f"{alias}{name}{arguments}{self.directives()}{inner}"

    def directives(self, likely=0.06, misplaced=""):
        if not chance(likely) and not self.slip():
            return ""
        choices = [" @skip(if: true)", " @include(if: false)", ' @note(text: "x")', " @note @note",
                   misplaced if self.slip() else " @note" if misplaced else ' @onField(limit: 3, label: "x")']
        if self.slip():
            choices = [" @unknown", " @onQuery", " @skip", " @skip(if: 1)", " @skip(if: true) @skip(if: false)",
                       " @note(txt: 3)", " @onField(label: 3)"]
        return rng.choice(choices)

    def arguments(self, definitions):
        given = [(name, argument) for name, argument in definitions.items()
                 if isinstance(argument.type, GraphQLNonNull) or chance(0.4)]
        if given and self.slip():
            given.pop()
        texts = [f"{name}: {self.value(argument.type, 3)}" for name, argument in given]
        if texts and self.slip():
            texts.append(rng.choice([texts[0], "unknown: 1", "nam: 2", "firs: 3"]))
        rng.shuffle(texts)
        return "(" + ", ".join(texts) + ")" if texts else ""

    def value(self, type_, depth, in_one_of=False):
        if chance(0.12) and not in_one_of and not self.in_fragment:
            return self.variable(type_)
        if self.slip():
            return rng.choice(["null", "1", '"text"', "LOW", "lo", "true", "1.5", "[1]", "{ text: 3 }", "$missing",
                               "3000000000", "[[null]]", "{}"])
        if isinstance(type_, GraphQLNonNull):
            return self.value(type_.of_type, depth, in_one_of)
        if isinstance(type_, GraphQLList):
            if chance(0.2):
                return self.value(type_.of_type, depth)
            return "[" + ", ".join(self.value(type_.of_type, depth) for _ in range(rng.randint(0, 2))) + "]"
        if isinstance(type_, GraphQLEnumType):
            return rng.choice(list(type_.values))
        if isinstance(type_, GraphQLInputObjectType):
            if type_.is_one_of:
                name, field = rng.choice(list(type_.fields.items()))
                others = ', name: "n"' if self.slip() else ""
                return "{ " + f"{name}: {self.value(field.type, depth - 1, True)}{others}" + " }"
            fields = [(name, field) for name, field in type_.fields.items()
                      if isinstance(field.type, GraphQLNonNull) and chance(0.9)
                      or depth > 0 and chance(0.3)]
            texts = [f"{name}: {self.value(field.type, depth - 1)}" for name, field in fields]
            if self.slip():
                texts += rng.choice([texts[:1], ["txt: 1"], ["gradess: 1"]])
            return "{ " + ", ".join(texts) + " }"
        return {"Int": "7", "Float": "1.5", "String": '"text"', "Boolean": "true", "ID": '"id"',
                "Moment": rng.choice(['"now"', "12"])}[type_.name]

    def variable(self, type_):
        text = str(type_)
        default = ""
        if self.slip():
            text = rng.choice(["Int", "Int!", "[Int]", "String", "Grade", "Adult", "Nowhere", text.rstrip("!")])
        elif chance(0.2) and not text.endswith("!"):
            text += "!"
        elif chance(0.2) and text in ("Int!", "Int"):
            text, default = "Int", rng.choice([" = 3", " = null"])
        if self.slip():
            default = rng.choice([" = 1", ' = "x"', " = null", " = [1]"])
        name = f"v{len(self.variables)}"
        if self.slip() and self.variables:
            return "$" + rng.choice(list(self.variables))
        self.variables[name] = (text, default)
        return "$" + name


tokens = re.compile(r'"[^"]*"|\.\.\.|[$@]?\w+(?:\.\d+)?|\S|\s+')


def mutated(text):
    """A few tokens left out, doubled, swapped, or taken from elsewhere in the document."""
    parts = tokens.findall(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(parts))
        roll = rng.random()
        if roll < 0.2:
            del parts[at]
        elif roll < 0.35:
            parts.insert(at, parts[at])
        elif roll < 0.55:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        else:
            words = [index for index, part in enumerate(parts) if re.match(r"[$@]?\w", part)]
            if words:
                parts[rng.choice(words)] = parts[rng.choice(words)]
        if not parts:
            parts = ["{", "count", "}"]
    return "".join(parts)


compared = {}


def compare_fields_with_fragment(
        context, conflicts, cached, compared_fragments, are_exclusive, field_map, fragment_name):
    """As graphql-js does since 16.9: graphql-core 3.2.8 remembers comparisons without the fields compared, and so
    misses conflicts."""
    pair = (id(field_map), fragment_name)
    if pair in compared and (are_exclusive or not compared[pair]):
        return
    compared[pair] = are_exclusive
    fragment = context.get_fragment(fragment_name)
    if not fragment:
        return
    fragment_fields, spread = merging.get_referenced_fields_and_fragment_names(context, cached, fragment)
    if field_map is fragment_fields:
        return
    merging.collect_conflicts_between(
        context, conflicts, cached, compared_fragments, are_exclusive, field_map, fragment_fields)
    for name in spread:
        compare_fields_with_fragment(context, conflicts, cached, compared_fragments, are_exclusive, field_map, name)


merging.collect_conflicts_between_fields_and_fragment = compare_fields_with_fragment


def location(text, position):
    """Line and column: graphql-core's own are of the line before where a token begins its line."""
    before = text[:position]
    return [before.count("\n") + 1, position - before.rfind("\n")]


def main():
    count = int(sys.argv[3])
    while count > 0:
        text = Documents(rng.choice([0, 0, 0, 0.005, 0.02, 0.06])).document()
        if chance(0.35):
            text = mutated(text)
        try:
            document = parse(text)
        except GraphQLSyntaxError:
            continue
        count -= 1
        compared.clear()
        try:
            errors = [[error.message, [location(text, position) for position in error.positions or []]]
                      for error in validate(schema, document, max_errors=10_000)]
        except Exception:
            errors = None
        print(json.dumps({"document": text, "errors": errors}))


main()
