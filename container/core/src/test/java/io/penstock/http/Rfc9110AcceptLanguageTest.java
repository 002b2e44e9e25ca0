package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class Rfc9110AcceptLanguageTest {

    private static List<Locale> parse(String... values) {
        return AcceptLanguage.parse(List.of(values));
    }

    @Test
    void languagesAreSortedByWeightAndThenByPosition() {
        assertEquals(
                List.of(Locale.forLanguageTag("da"), Locale.US, Locale.UK, Locale.ENGLISH, Locale.GERMAN),
                parse("en;q=0.7, da, de;q=0.001", "en-US;q=0.8, en-GB; Q=0.8"));
    }

    @Test
    void asterisksAndMalformedMembersAndLanguagesWithWeightZeroAreIgnored() {
        assertEquals(
                List.of(Locale.FRENCH),
                parse("*, en;q=0, de;q=0.000, it;q=2, es;q=x, pt;level=1, -, , e_n, fr;q=1.000"));
        assertEquals(List.of(), parse());
        assertEquals(List.of(), parse("", ","));
    }

    @Test
    void onlyTheFirst64LanguagesAreRead() {
        StringBuilder endless = new StringBuilder("en");
        for (char a = 'a'; a <= 'z'; a++) {
            for (char b = 'a'; b <= 'z'; b++) {
                endless.append(",x").append(a).append(b);
            }
        }
        assertEquals(64, parse(endless.toString()).size());
    }
}
