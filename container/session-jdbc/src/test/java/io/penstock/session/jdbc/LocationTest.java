package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the syntax of the setting {@code session-store}. */
class LocationTest {
    private static final String URL = "jdbc:postgresql://db/shop";

    @TempDir
    Path folder;

    private static Location parse(String text) throws IOException {
        return Location.parse(text, Map.of("DB_PASSWORD", "secret"));
    }

    @Test
    void aUrlWithoutOptionsHasTheDefaultOptions() throws IOException {
        Location location = parse(URL + "?user=penstock");
        assertEquals(URL + "?user=penstock", location.url());
        assertNull(location.user());
        assertEquals(Map.of(), location.secrets());
        assertEquals(10, location.connections());
        assertEquals(
                new JdbcOptions(JdbcOptions.Conflict.LAST_WINS, Duration.ofSeconds(2), JdbcOptions.Creation.IF_MISSING),
                location.options());
    }

    @Test
    void theOptionsAfterTheHashSignAreRead() throws IOException {
        Location location = parse(URL
                + "#user=ada&password-env=DB_PASSWORD&conflict=refuse&timeout=700ms&connections=3&create-tables=off");
        assertEquals(URL, location.url());
        assertEquals("ada", location.user());
        assertEquals("secret", location.secrets().get("password"));
        assertEquals(3, location.connections());
        assertEquals(
                new JdbcOptions(JdbcOptions.Conflict.REFUSE, Duration.ofMillis(700), JdbcOptions.Creation.NEVER),
                location.options());
    }

    @Test
    void aPasswordMayBeTheFirstLineOfAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "open & sesame\nsecond line\n");
        assertEquals(
                "open & sesame", parse(URL + "#password-file=" + file).secrets().get("password"));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/shop?user=ada&password=secret, jdbc:postgresql://db/shop?user=ada",
        "jdbc:postgresql://db/shop?password=secret&user=ada, jdbc:postgresql://db/shop?user=ada",
        "jdbc:postgresql://db/shop?a=1&password=s%65cret&b=2, jdbc:postgresql://db/shop?a=1&b=2",
        "jdbc:postgresql://db/shop?password=secret, jdbc:postgresql://db/shop",
        "jdbc:h2:tcp://db/shop;USER=ada;PASSWORD=secret;X=1, jdbc:h2:tcp://db/shop;USER=ada;X=1"
    })
    void aPasswordIsRemovedFromTheUrl(String text, String url) throws IOException {
        Location location = parse(text);
        assertEquals(url, location.url());
        assertEquals("secret", location.secrets().get("password"));
        assertFalse(location.toString().contains("secret"), location.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/shop?sslpassword=key&password=secret&user=ada, jdbc:postgresql://db/shop?user=ada",
        "jdbc:postgresql://db/shop?password=secret&user=ada&sslPassword=key, jdbc:postgresql://db/shop?user=ada",
        "jdbc:other://db/shop;sslpassword=key;PASSWORD=secret, jdbc:other://db/shop"
    })
    void aKeyPasswordIsRemovedFromTheUrl(String text, String url) throws IOException {
        Location location = parse(text);
        assertEquals(url, location.url());
        assertEquals("secret", location.secrets().get("password"));
        assertEquals("key", location.secrets().get("sslpassword"));
        assertFalse(location.toString().contains("key"), location.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#colour=red | an option of the session store is unknown; known are conflict, connections,"
                        + " create-tables, password-env, password-file, timeout, user",
                "?password=a#secret | an option of the session store is not of the form name=value",
                "#conflict | an option of the session store is not of the form name=value",
                "#conflict= | an option of the session store is not of the form name=value",
                "#user=a&user=b | an option of the session store is given twice",
                "#conflict=maybe | conflict must be last-wins or refuse, not 'maybe'",
                "#create-tables=yes | create-tables must be on or off, not 'yes'",
                "#timeout=2 | timeout must be a time from 500ms to 60s, not '2'",
                "#timeout=499ms | timeout must be a time from 500ms to 60s, not '499ms'",
                "#timeout=61s | timeout must be a time from 500ms to 60s, not '61s'",
                "#connections=0 | connections must be a number from 1 to 1000",
                "#connections=many | connections must be a number from 1 to 1000",
                "#password-env=NOT_THERE | password-env: the environment has no variable NOT_THERE",
                "#password-file=/a/b/c | password-file: cannot read /a/b/c: its folder does not exist",
                "#password-file=/a&password-env=DB_PASSWORD | both password-file and password-env are given",
                "?password=x#password-env=DB_PASSWORD | the password is given twice",
                "?password=secret&a=b&PassWord=secret | the password is given twice",
                "?sslpassword=secret&sslpassword=x | the sslpassword is given twice",
                "?password=secret%zz | a password in the URL has a malformed percent escape"
            })
    void theErrorForAnInvalidLocationContainsTheReasonAndNoPassword(String rest, String message) {
        IOException e = assertThrows(IOException.class, () -> parse(URL + rest));
        assertEquals(message, e.getMessage());
        assertFalse(e.getMessage().contains("secret"));
    }

    @Test
    void theErrorForAnUnknownUrlContainsOnlyTheSchemeOfTheUrl() {
        IOException e = assertThrows(IOException.class, () -> JdbcSessions.open("jdbc:oracle:thin:scott/tiger@db"));
        assertTrue(e.getMessage().startsWith("no driver on the class path knows URLs of 'jdbc:oracle:'"));
        assertFalse(e.getMessage().contains("tiger"));
    }
}
