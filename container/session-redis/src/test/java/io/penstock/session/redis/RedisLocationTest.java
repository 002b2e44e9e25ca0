package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.session.redis.RedisLocation.Conflict;
import io.penstock.session.redis.RedisLocation.Kind;
import io.penstock.session.redis.RedisLocation.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;

/** Tests the addresses of Redis, and the options in these addresses. */
final class RedisLocationTest {

    @TempDir
    Path folder;

    private static RedisLocation parse(String location) throws IOException {
        return RedisLocation.parse(location);
    }

    @Test
    void aLocationWithOnlyAHostHasTheDefaultOptions() throws IOException {
        RedisLocation location = parse("redis://cache");
        assertEquals(Kind.SINGLE, location.kind());
        assertEquals(Set.of(new HostAndPort("cache", 6379)), location.nodes());
        assertEquals(Login.NONE, location.login());
        assertEquals(0, location.database());
        assertNull(location.trust());
        assertEquals("penstock", location.prefix());
        assertEquals(Conflict.LAST_WINS, location.conflict());
        assertEquals(32, location.connections());
        assertEquals(Duration.ofSeconds(2), location.timeouts().all());
    }

    @Test
    void allOptionsCanBeSet() throws IOException {
        RedisLocation location = parse(
                "rediss://ada:open%20s%40me+@[::1]:7000/5?prefix=shop:&conflict=refuse&connections=3&timeout=700ms");
        assertEquals(Set.of(new HostAndPort("::1", 7000)), location.nodes());
        assertEquals(new Login("ada", "open s@me+"), location.login());
        assertEquals(5, location.database());
        assertNotNull(location.trust());
        assertEquals("shop:", location.prefix());
        assertEquals(Conflict.REFUSE, location.conflict());
        assertEquals(3, location.connections());
        assertEquals(Duration.ofMillis(700), location.timeouts().all());
    }

    @Test
    void severalSentinelsOrClusterNodesAreAccepted() throws IOException {
        RedisLocation sentinel = parse("redis-sentinel://:secret@one,two:5000/1?master=main&sentinel-user=watch");
        assertEquals(Kind.SENTINEL, sentinel.kind());
        assertEquals(Set.of(new HostAndPort("one", 26379), new HostAndPort("two", 5000)), sentinel.nodes());
        assertEquals("main", sentinel.master());
        assertEquals(new Login("", "secret"), sentinel.login());
        assertEquals(new Login("watch", ""), sentinel.sentinelLogin());
        RedisLocation cluster = parse("rediss-cluster://one:7000,two:7001");
        assertEquals(Kind.CLUSTER, cluster.kind());
        assertEquals(2, cluster.nodes().size());
    }

    @Test
    void thePasswordMayBeInAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("a secret"), "open & sesame \nnext line\n");
        String escaped = file.toString().replace(" ", "%20");
        assertEquals(
                new Login("ada", "open & sesame "),
                parse("redis://ada@cache?password-file=" + escaped).login());
    }

    @Test
    void thePasswordMayBeInTheEnvironment() throws IOException {
        assertEquals(
                System.getenv("PATH"),
                parse("redis://cache?password-env=PATH").login().password());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis:cache | the address of Redis is not of the form redis://host:port
            redis:// | the address of Redis is not a URI: Expected authority at index 8
            redis://cache#part | the address of Redis is not of the form redis://host:port
            redis://one,two | only redis-sentinel and redis-cluster may have several hosts
            redis://cache:0 | the port of Redis must be a number from 1 to 65535
            redis://cache:70000 | the port of Redis must be a number from 1 to 65535
            redis-cluster://one,,two | the address of Redis has an invalid host or port
            redis://app:12/Xk3@cache | the database of Redis must be a number from 0 to 1000000
            redis://cache/first | the database of Redis must be a number from 0 to 1000000
            redis-cluster://cache/1 | a Redis cluster has one database: the address must not have a number of a database
            redis-sentinel://cache | the session store needs the option master
            redis://cache?conflict=maybe | conflict must be last-wins or refuse, not 'maybe'
            redis://cache?connections=0 | connections must be a number from 1 to 1000
            redis://cache?timeout=2 | timeout must be a time from 20ms to 60s, not '2'
            redis://cache?timeout=2h | timeout must be a time from 20ms to 60s, not '2h'
            redis://cache?timeout=1ms | timeout must be a time from 20ms to 60s, not '1ms'
            redis://cache?prefix=%7Ba%7D | prefix must match [A-Za-z0-9._:-]{1,100}, not '{a}'
            redis://cache?timeout | an option of the session store is not of the form name=value
            redis://cache?timeout= | an option of the session store is not of the form name=value
            redis://cache?timeout=1s&timeout=2s | an option of the session store is given twice
            redis://cache?password-env=NOBODY_SETS_THIS | password-env: the environment has no variable NOBODY_SETS_THIS
            redis://cache?password-env=A&password-file=b | both password-file and password-env are given
            redis://ada:x@cache?password-env=PATH | two passwords of Redis are given
            redis://cache?password-file=/not/there | password-file: cannot read /not/there: its folder does not exist
            rediss://cache?trust=/not/there | trust: cannot read /not/there: its folder does not exist
            """)
    void theErrorForAnInvalidLocationContainsTheReason(String location, String problem) {
        assertEquals(
                problem, assertThrows(IOException.class, () -> parse(location)).getMessage());
    }

    @Test
    void theErrorForAnUnknownOptionContainsTheKnownOptions() {
        String problem = assertThrows(IOException.class, () -> parse("redis://cache?secret=1"))
                .getMessage();
        assertTrue(problem.contains("conflict, connections, password-env, password-file, prefix, timeout"), problem);
        assertThrows(IOException.class, () -> parse("redis://cache?master=main"), "an option of Sentinel was accepted");
        assertThrows(IOException.class, () -> parse("redis://cache?trust=ca.pem"), "an option of TLS was accepted");
    }

    /** Each of these invalid addresses contains a password. */
    @ParameterizedTest
    @CsvSource({
        "redis://ada:sesame@cache:x",
        "redis://ada:sesame@cache/x",
        "redis://ada:sesame@cache?x=y",
        "redis://ada:se%zzsame@cache",
        "redis://ada:sesa me@cache",
        "redis://ada:sesame",
        "redis://ada:pass?sesame=1@cache",
        "redis://ada:pass?sesame@cache",
        "redis://ada:pass/sesame@cache",
        "redis://ada:pass#sesame@cache",
        "redis://cache?password=sesame"
    })
    void noErrorMessageContainsThePassword(String location) {
        IOException failure = assertThrows(IOException.class, () -> parse(location));
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertFalse(cause.toString().contains("sesame"), cause.toString());
            assertFalse(cause.toString().contains("same@"), cause.toString());
        }
    }

    @Test
    void toStringAndAddressDoNotContainThePassword() throws IOException {
        RedisLocation location = parse("redis-sentinel://ada:sesame@one?master=main");
        assertFalse(location.toString().contains("sesame"), location.toString());
        assertFalse(location.address().contains("sesame"));
        assertFalse(location.address().contains("ada"));
    }
}
