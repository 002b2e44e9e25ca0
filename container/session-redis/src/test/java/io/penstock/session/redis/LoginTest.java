package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** Tests the users, the passwords, the database numbers, and TLS of connections to Redis. */
@NeedsProgram(Program.REDIS_SERVER)
final class LoginTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The rights that the documentation requires for the Redis user of the server. */
    private static final String RIGHTS =
            "on >sesame ~penstock:* resetchannels -@all +eval +evalsha +ping +select +hmget +hget +hset"
                    + " +hdel +hgetall +exists +del +unlink +rename +zadd +zrem +zrangebyscore +pttl +pexpire +persist";

    private interface Call {
        void run(SessionStore store) throws IOException;
    }

    private static final SessionKey KEY = SessionKey.of("of a user");
    private static final SessionChange CREATE =
            new SessionChange(KEY, KEY, 0, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of());
    private static final Map<String, Call> CALLS = Map.of(
            "load", store -> store.load(KEY, 0),
            "save", store -> store.save(CREATE),
            "delete", store -> store.delete(KEY),
            "expired", store -> store.expired(NOW, 1));

    @TempDir
    Path folder;

    private static void use(String location) throws IOException {
        try (SessionStores stores = RedisSessions.open(URI.create(location))) {
            SessionStore store = stores.of("/shop");
            SessionKey key = SessionKey.of("of a user");
            SessionKey next = SessionKey.of("with another id");
            store.delete(next);
            store.save(new SessionChange(key, key, 0, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of()));
            store.save(new SessionChange(key, key, 1, NOW, NOW, 0, Map.of(), Set.of("name")));
            store.save(new SessionChange(key, next, 2, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of()));
            store.touch(next, NOW.plusSeconds(1));
            assertEquals(3, store.load(next, 0).orElseThrow().version());
            assertEquals(1, store.expired(NOW.plusSeconds(61), 5).size());
            assertTrue(store.deleteExpired(next, NOW.plusSeconds(61)));
        }
    }

    @Test
    void theDocumentedRightsAreSufficient() throws Exception {
        try (RedisServer redis = RedisServer.start(("--user penstock " + RIGHTS).split(" ", -1))) {
            use("redis://penstock:sesame@127.0.0.1:" + redis.port() + "/3?timeout=60s&conflict=refuse");
            use("redis://penstock:sesame@127.0.0.1:" + redis.port() + "?timeout=60s");
        }
    }

    @Test
    void theDocumentedRightsAreSufficientForACluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(("--user penstock " + RIGHTS + " +cluster").split(" ", -1))) {
            use("redis-cluster://penstock:sesame@" + cluster.hosts() + "?timeout=60s&conflict=refuse");
            IOException refused = assertThrows(
                    IOException.class,
                    () -> RedisSessions.open("redis-cluster://penstock:guess@" + cluster.hosts() + "?timeout=60s"));
            assertFalse(refused instanceof StoreUnavailableException, refused.toString());
        }
    }

    @Test
    void aPasswordWithoutAUserNameIsAccepted() throws Exception {
        try (RedisServer redis = RedisServer.start("--requirepass", "open sesame")) {
            use("redis://:open%20sesame@127.0.0.1:" + redis.port() + "?timeout=60s");
            Path file = Files.writeString(folder.resolve("secret"), "open sesame\n");
            use("redis://127.0.0.1:" + redis.port() + "?timeout=60s&password-file=" + file);
        }
    }

    @Test
    void theStartFailsWithAWrongPassword() throws Exception {
        try (RedisServer redis = RedisServer.start("--requirepass", "sesame")) {
            for (String login : new String[] {":guess@", "ada:guess@", ""}) {
                String location = "redis://" + login + "127.0.0.1:" + redis.port() + "?timeout=60s";
                IOException refused = assertThrows(IOException.class, () -> RedisSessions.open(location));
                assertFalse(refused instanceof StoreUnavailableException);
                assertTrue(refused.getMessage().contains("refuses: "), refused.getMessage());
                for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
                    assertFalse(cause.toString().contains("guess"), cause.toString());
                }
            }
        }
    }

    /** The store treats Redis as unavailable for all sessions, until the operator has corrected the rights. */
    @ParameterizedTest
    @CsvSource({
        "resetpass >other, load save delete expired",
        "off, load save delete expired",
        "resetkeys, load save delete expired",
        "-evalsha -eval, load save delete expired",
        "-hmget, load save delete",
        "-zrangebyscore, expired",
        "-hset, save",
        "-zrem, delete"
    })
    void redisIsUnavailableAfterTheOperatorRevokesALoginOrARight(String lost, String calls) throws Exception {
        try (RedisServer redis = RedisServer.start(("--user penstock " + RIGHTS).split(" ", -1));
                Jedis jedis = new Jedis("127.0.0.1", redis.port());
                SessionStores stores =
                        RedisSessions.open("redis://penstock:sesame@127.0.0.1:" + redis.port() + "?timeout=60s")) {
            SessionStore store = stores.of("/shop");
            jedis.aclSetUser("penstock", lost.split(" ", -1));
            jedis.sendCommand(Protocol.Command.CLIENT, "KILL", "USER", "penstock");
            for (String call : calls.split(" ", -1)) {
                StoreUnavailableException refused = assertThrows(
                        StoreUnavailableException.class, () -> CALLS.get(call).run(store), call);
                assertTrue(refused.getMessage().contains(" refuses: "), refused.getMessage());
                assertFalse(refused.getMessage().contains("sesame"), refused.getMessage());
            }
            jedis.aclSetUser("penstock", ("reset " + RIGHTS).split(" ", -1));
            store.delete(KEY);
            assertEquals(OptionalLong.of(1), store.save(CREATE));
            assertTrue(store.load(KEY, 0).isPresent());
        }
    }

    @Test
    void sessionsAreInTheDatabaseWithTheConfiguredNumber() throws Exception {
        try (RedisServer redis = RedisServer.start();
                SessionStores stores = RedisSessions.open("redis://127.0.0.1:" + redis.port() + "/7?timeout=60s");
                Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            SessionKey key = SessionKey.of("elsewhere");
            stores.of("/").save(new SessionChange(key, key, 0, NOW, NOW, 60, Map.of(), Set.of()));
            assertEquals(0, jedis.dbSize());
            jedis.select(7);
            assertEquals(2, jedis.dbSize());
        }
    }

    /** The certificate contains only the name {@code localhost}. So a connection to the address 127.0.0.1 must fail. */
    @Test
    void aTlsConnectionNeedsATrustedCertificateForTheHostName() throws Exception {
        certificate();
        int port = FreePort.next();
        try (RedisServer redis = RedisServer.at(
                0,
                "--tls-port",
                "" + port,
                "--tls-cert-file",
                folder.resolve("cert.pem").toString(),
                "--tls-key-file",
                folder.resolve("key.pem").toString(),
                "--tls-auth-clients",
                "no",
                "--tls-ca-cert-file",
                folder.resolve("cert.pem").toString())) {
            String trust = "?timeout=60s&trust=" + folder.resolve("cert.pem");
            use("rediss://localhost:" + port + trust);
            assertNotTrusted("rediss://127.0.0.1:" + port + trust);
            assertNotTrusted("rediss://localhost:" + port + "?timeout=60s");
        }
    }

    private static void assertNotTrusted(String location) throws IOException {
        try (SessionStores stores = RedisSessions.open(location)) {
            SessionStore store = stores.of("/");
            assertThrows(StoreUnavailableException.class, () -> store.load(SessionKey.of("any"), 0));
        }
    }

    private void certificate() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        "sesame",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost")
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
        KeyStore store = KeyStore.getInstance(keys.toFile(), "sesame".toCharArray());
        pem("cert.pem", "CERTIFICATE", store.getCertificate("redis").getEncoded());
        pem(
                "key.pem",
                "PRIVATE KEY",
                store.getKey("redis", "sesame".toCharArray()).getEncoded());
    }

    private void pem(String file, String what, byte[] bytes) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
    }
}
