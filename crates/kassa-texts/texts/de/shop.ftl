# Die Seiten des Shops.

shop-about = Karten für Konzerte, Theater und Festivals bei { $name }
skip-to-content = Zum Inhalt springen
languages = Sprache
about-the-shop = Über diesen Shop
imprint = Impressum
for-organizers = Für Veranstalter
terms = Bedingungen
accessibility = Barrierefreiheit

home-title = Programm
home-all = Demnächst
home-empty = Zurzeit ist nichts im Verkauf
home-empty-hint = Neue Veranstaltungen erscheinen hier, sobald sie angekündigt werden.
next-up = Als Nächstes
pages = Seiten
earlier = Früher
later = Später
to-events = Alle Veranstaltungen

organizer = Veranstalter
agent = Vorverkaufsstelle
website = Website
views = Ansichten
view-list = Liste
view-calendar = Kalender
months = Monate
month-empty = In diesem Monat gibt es keine Veranstaltungen.
partner-empty = Zurzeit keine Veranstaltungen
partner-empty-hint = Schauen Sie bald wieder vorbei: Neue Termine stehen zuerst hier.

when = Wann
where = Wo
zone = Zeitzone des Veranstaltungsorts
add-to-calendar = In den Kalender
show-map = Im Stadtplan zeigen
age-label = Alter
age = Ab { $count } Jahren
about-event = Über die Veranstaltung
organized-by = Veranstaltet von
sold-by = Verkauft von
tickets = Karten
to-tickets = Karten

price-free = Eintritt frei
price-from = ab { $name }
price-free-and-from = Eintritt frei und ab { $name }
price-since = Ab { $name }:
coming-prices = Spätere Preise
left-many = Verfügbar
left-count =
    { $count ->
        [one] Noch 1 Karte
       *[other] Noch { $count } Karten
    }
numbered-seats = Nummerierte Plätze
not-on-sale = Zurzeit nicht im Verkauf
sale-begins = Im Verkauf ab { $name }

state-not-yet = Noch nicht im Verkauf
state-on-sale = Im Verkauf
state-sold-out = Ausverkauft
state-closed = Der Verkauf ist beendet
state-over = Diese Veranstaltung ist vorbei
state-canceled = Abgesagt

error-not-found = Diese Seite gibt es hier nicht
error-not-found-hint = Vielleicht ist die Veranstaltung vorbei, oder die Adresse hat sich geändert. Was es jetzt gibt, steht auf der ersten Seite.
error-method = Diese Seite zeigt nur etwas an
error-method-hint = Was an sie geschickt wurde, hat nichts geändert.
error-busy = Gerade ist sehr viel los
error-busy-hint = Bitte versuchen Sie es gleich noch einmal. Es ist nichts verloren gegangen.
error-too-large = Das war zu viel auf einmal
error-too-large-hint = Was geschickt wurde, ist länger als jedes unserer Formulare. Nichts davon wurde behalten.
error-internal = Bei uns ist etwas schiefgegangen
error-internal-hint = Wir haben es notiert. Bitte versuchen Sie es gleich noch einmal.
