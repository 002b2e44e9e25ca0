package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the search for the known name that is most similar to a mistyped name. */
class ClosestNameTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            worker                 | workers
            wrokers                | workers
            prot                   | port
            bodyLimit              | body-limit
            BODY.LIMIT             | body-limit
            body-limits            | body-limit
            keep-alive             | keep-alive-timeout
            keepalive-timeuot      | keep-alive-timeout
            max-connection         | max-connections
            max-connections-adress | max-connections-address
            """)
    void theMostSimilarNameIsFoundForAMistypedName(String given, String closest) {
        assertEquals(closest, ClosestName.to(given, names()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "wor", "no-such-key", "threads-of-the-server"})
    void noNameIsFoundForANameThatResemblesNoKnownName(String given) {
        assertNull(ClosestName.to(given, names()));
    }

    private static Stream<String> names() {
        return Stream.of(
                "port",
                "workers",
                "body-limit",
                "keep-alive-timeout",
                "max-connections",
                "max-connections-address",
                "max-connections-policy");
    }

    @ParameterizedTest
    @CsvSource({"ab, ab", "ac, ab", "bc, "})
    void theFirstNameIsReturnedIfTwoNamesAreEquallySimilar(String given, String closest) {
        assertEquals(closest, ClosestName.to(given, Stream.of("ab", "ad")));
    }

    @ParameterizedTest
    @CsvSource({"access-log-formats, access-log-format", "acme-emil, acme-email", "tls-keystre, tls-keystore"})
    void aSimilarKeyIsPreferredToAKeyThatIsAPrefixOfTheMistypedName(String given, String closest) {
        assertEquals(closest, ClosestName.to(given, Key.ids()));
    }
}
