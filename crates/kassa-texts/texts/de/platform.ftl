# Was für die Plattform gilt, wer auch immer sie betreibt.

imprint-operator = Bei { $name } werden Karten für Veranstaltungen verkauft. Betrieben wird der Shop vom Betreiber dieses Servers, dessen Name und Anschrift hier stehen, sobald er sie eingetragen hat.
imprint-organizers = Jede Veranstaltung wird von ihrem Veranstalter angeboten, der auf ihrer Seite genannt ist.
imprint-software = Der Shop läuft mit Kassa, freier Software unter der GNU Affero General Public License.

terms-contract = Mit einer Karte von { $name } haben Sie einen Vertrag mit dem Veranstalter. Der Shop vermittelt ihn und hält Ihre Karten frei, während Sie bezahlen.
terms-refunds = Ob Karten zurückgegeben werden können, und was vom Preis einbehalten wird, bestimmt der Veranstalter.
terms-data = Alle Seiten lassen sich ohne Konto lesen. Ein Cookie merkt sich die Sprache, die Sie wählen, und eines, bis der Browser geschlossen wird, welche Bestellungen Sie begonnen haben; sonst nichts. Keine Seite lädt etwas von einem anderen Server.

accessibility-goal = { $name } soll für alle benutzbar sein und strebt WCAG 2.2, Stufe AA, an.
accessibility-means = Alle Seiten funktionieren mit der Tastatur, mit einem Vorleseprogramm, ohne JavaScript, bei 320 Pixeln Breite und in hellen wie dunklen Farben. Bewegung entfällt, wo Ihr System darum bittet.
accessibility-limits = Beschreibungen und Bilder stammen von den Veranstaltern. Bilder schmücken nur: Was wichtig ist, steht im Text.
accessibility-report = Wenn Ihnen etwas im Weg ist, sagen Sie es dem Betreiber dieses Shops, den das Impressum nennt, oder dem Veranstalter.
