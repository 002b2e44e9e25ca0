package io.penstock.http;

import static io.penstock.http.ContentCoding.BROTLI;
import static io.penstock.http.ContentCoding.GZIP;
import static io.penstock.http.ContentCoding.ZSTANDARD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which content coding the server selects for an {@code Accept-Encoding} field. */
class Rfc9110Section1253AcceptEncodingTest {
    private static final List<ContentCoding> ALL = List.of(ContentCoding.values());

    private static ContentCoding best(String... lines) {
        return AcceptEncoding.parse(List.of(lines)).best(ALL);
    }

    @Test
    void theServerOrderIsUsedOnlyIfSeveralCodingsHaveTheHighestWeight() {
        assertEquals(BROTLI, best("gzip, deflate, br, zstd"));
        assertEquals(ZSTANDARD, best("gzip;q=0.5, zstd, br;q=0.999"));
        assertEquals(GZIP, best("gzip"));
        assertEquals(GZIP, best("br;q=0.1", "GZip ; Q=0.2"));
        assertEquals(GZIP, AcceptEncoding.parse(List.of("br, gzip;q=0.1")).best(List.of(GZIP)));
    }

    @Test
    void anAsteriskMatchesEachCodingThatTheFieldDoesNotName() {
        assertEquals(BROTLI, best("*"));
        assertEquals(ZSTANDARD, best("br;q=0, *;q=0.1"));
        assertEquals(GZIP, best("*;q=0.5, gzip"));
        assertNull(best("*;q=0"));
    }

    @Test
    void noCodingIsUsedIfTheClientPrefersIdentity() {
        assertNull(best("gzip;q=0.5, identity"));
        assertNull(best("identity"));
        assertEquals(GZIP, best("gzip;q=0.5, identity;q=0.5"));
        assertEquals(GZIP, best("gzip;q=0.001, identity;q=0"));
    }

    @Test
    void xGzipIsAnotherNameForGzip() {
        assertEquals(GZIP, best("x-gzip"));
        assertEquals(GZIP, best("X-GZIP;q=0.3"));
        assertNull(best("x-gzip;q=0"));
    }

    @Test
    void aMissingOrEmptyFieldSelectsNoCoding() {
        assertNull(best());
        assertNull(best(""));
        assertNull(best(" , ,"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip;q=0",
                "gzip;q=0.000",
                "gzip;q=1.1",
                "gzip;q=2",
                "gzip;q=-1",
                "gzip;q=0.0001",
                "gzip;q=",
                "gzip;q",
                "gzip;",
                "gzip;level=1",
                "gzip;level=1;q=1",
                "gzip q=1",
                "gzip:1",
                "gzi",
                "gzipp",
                "\"gzip\"",
                "deflate",
                "compress"
            })
    void aCodingIsNotSelectedIfItIsUnknownOrMalformedOrHasWeightZero(String member) {
        assertNull(best(member));
        assertEquals(ZSTANDARD, best(member + ", zstd;q=0.1"));
    }

    @Test
    void theFirstWeightIsUsedIfACodingHasTwoWeights() {
        assertNull(best("gzip;q=0, gzip"));
        assertEquals(GZIP, best("gzip", "gzip;q=0"));
    }

    @Test
    void onlyTheFirst64CodingsOfTheFieldAreRead() {
        assertNull(best("x,".repeat(64) + "gzip"));
        assertEquals(GZIP, best("x,".repeat(63) + "gzip"));
    }

    /** The names of the codings are in random order, in upper or lower case, and in any number of fields. */
    @Test
    void theOrderAndTheCaseOfTheNamesDoNotChangeTheSelectedCoding() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> names = List.of("br", "zstd", "gzip", "identity", "*", "deflate");
        for (int i = 0; i < 20_000; i++) {
            Map<String, Integer> weights = new LinkedHashMap<>();
            List<String> shuffled = new ArrayList<>(names);
            Collections.shuffle(shuffled, random);
            for (String name : shuffled.subList(0, random.nextInt(names.size() + 1))) {
                weights.put(name, random.nextBoolean() ? random.nextInt(1001) : random.nextInt(3) * 500);
            }
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            weights.forEach((name, weight) -> {
                line.append(blank(random)).append(random.nextBoolean() ? name.toUpperCase(Locale.ROOT) : name);
                if (weight != 1000 || random.nextBoolean()) {
                    line.append(blank(random))
                            .append(';')
                            .append(blank(random))
                            .append(random.nextBoolean() ? "q=" : "Q=");
                    line.append(weight == 1000 ? "1" : String.format(Locale.ROOT, "0.%03d", weight));
                }
                line.append(blank(random)).append(',');
                if (random.nextInt(3) == 0) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
            });
            lines.add(line.toString());
            List<ContentCoding> offered = Arrays.stream(ContentCoding.values())
                    .filter(c -> random.nextInt(4) > 0)
                    .toList();
            assertEquals(
                    expected(weights, offered),
                    AcceptEncoding.parse(lines).best(offered),
                    () -> "the client sent " + lines + ", the server offers " + offered + ", seed " + seed);
        }
    }

    private static String blank(Random random) {
        return " \t".substring(0, random.nextInt(3));
    }

    private static ContentCoding expected(Map<String, Integer> weights, List<ContentCoding> offered) {
        int any = weights.getOrDefault("*", 0);
        int most = offered.stream()
                .mapToInt(coding -> weights.getOrDefault(coding.token(), any))
                .max()
                .orElse(0);
        if (most == 0 || weights.getOrDefault("identity", 0) > most) {
            return null;
        }
        return offered.stream()
                .filter(coding -> weights.getOrDefault(coding.token(), any) == most)
                .findFirst()
                .orElseThrow();
    }
}
