package io.penstock.session.redis;

import io.penstock.part.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/**
 * The address of Redis, and the options for connections to it: {@code redis://user:password@host:port/database?option=value}.
 *
 * @param nodes one Redis server, or the Sentinels, or some nodes of the cluster
 * @param login the login for Redis
 * @param trust creates TLS connections; null for connections without TLS
 * @param master the name of the master in Sentinel; empty without Sentinel
 * @param prefix the prefix of all keys in Redis
 */
record RedisLocation(
        Kind kind,
        Set<HostAndPort> nodes,
        Login login,
        int database,
        @Nullable SSLSocketFactory trust,
        String master,
        Login sentinelLogin,
        String prefix,
        Conflict conflict,
        int connections,
        Timeouts timeouts) {
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");
    private static final int MAX_CONNECTIONS = 1000;
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    enum Kind {
        SINGLE(6379, "redis", "rediss"),
        SENTINEL(26379, "redis-sentinel", "rediss-sentinel"),
        CLUSTER(6379, "redis-cluster", "rediss-cluster");

        private final int port;
        private final List<String> schemes;

        Kind(int port, String plain, String encrypted) {
            this.port = port;
            this.schemes = List.of(plain, encrypted);
        }

        /** The URL scheme without TLS, followed by the URL scheme with TLS. */
        List<String> schemes() {
            return schemes;
        }
    }

    /** The reaction to a conflict. A conflict means that another server has changed the same attribute at the same time. */
    enum Conflict {
        LAST_WINS,
        REFUSE
    }

    /** A user name and a password. If the name and the password are empty, Redis needs no login. */
    record Login(String user, String password) {
        static final Login NONE = new Login("", "");

        @Override
        public String toString() {
            return "a login";
        }
    }

    /**
     * @param all the approximate time limit of a call; it includes the wait for a connection, the creation of a connection, and the answer
     */
    record Timeouts(Duration all) {

        /** The time limit of the wait for a connection from the pool, and of the creation of a connection. */
        Duration connection() {
            return all.dividedBy(4);
        }

        Duration answer() {
            return all.dividedBy(2);
        }

        /** If a call fails within this time, there is enough time for a second attempt. */
        Duration repeatedWithin() {
            return all.dividedBy(4);
        }
    }

    /** @throws IOException if the address is invalid; the message is one line with the reason, without a password */
    static RedisLocation parse(String location) throws IOException {
        URI uri;
        try {
            uri = new URI(location);
        } catch (URISyntaxException e) {
            // The exception has no cause, because the message of the cause contains the whole address.
            throw new IOException("the address of Redis is not a URI: " + e.getReason() + " at index " + e.getIndex());
        }
        String scheme = uri.getScheme();
        for (Kind kind : Kind.values()) {
            int found = kind.schemes.indexOf(scheme);
            if (found >= 0) {
                return parse(kind, found == 1, uri);
            }
        }
        throw new IOException("the address of Redis has an unknown scheme");
    }

    private static RedisLocation parse(Kind kind, boolean encrypted, URI uri) throws IOException {
        String authority = uri.getRawAuthority();
        if (authority == null || uri.getRawFragment() != null) {
            throw new IOException("the address of Redis is not of the form " + kind.schemes.get(0) + "://host:port");
        }
        int at = authority.lastIndexOf('@');
        StoreOptions options = new StoreOptions(uri.getRawQuery(), System.getenv());
        Login login = login(at < 0 ? "" : authority.substring(0, at), options.password("password"));
        RedisLocation location = new RedisLocation(
                kind,
                nodes(kind, authority.substring(at + 1)),
                login,
                database(kind, uri.getRawPath()),
                encrypted ? TrustedServers.of(options.text("trust")) : null,
                kind == Kind.SENTINEL ? options.required("master") : "",
                kind == Kind.SENTINEL
                        ? new Login(options.text("sentinel-user", ""), orEmpty(options.password("sentinel-password")))
                        : Login.NONE,
                options.matching("prefix", "penstock", "[A-Za-z0-9._:-]{1,100}"),
                options.choice("conflict", Conflict.LAST_WINS, Conflict.class),
                options.number("connections", 32, 1, MAX_CONNECTIONS),
                new Timeouts(options.duration("timeout", Duration.ofSeconds(2), SHORTEST, LONGEST)));
        options.refuseOthers();
        return location;
    }

    private static Login login(String userInfo, @Nullable String password) throws IOException {
        int colon = userInfo.indexOf(':');
        String user = StoreOptions.decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
        if (colon < 0) {
            return new Login(user, orEmpty(password));
        }
        if (password != null) {
            throw new IOException("two passwords of Redis are given");
        }
        return new Login(user, StoreOptions.decoded(userInfo.substring(colon + 1)));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Set<HostAndPort> nodes(Kind kind, String hosts) throws IOException {
        Set<HostAndPort> nodes = new LinkedHashSet<>();
        for (String host : hosts.split(",", -1)) {
            Matcher matcher = HOST.matcher(host);
            if (!matcher.matches()) {
                throw new IOException("the address of Redis has an invalid host or port");
            }
            String port = matcher.group(2);
            nodes.add(new HostAndPort(
                    host(matcher.group(1)),
                    port == null ? kind.port : StoreOptions.number("the port of Redis", port, 1, 65535)));
        }
        if (kind == Kind.SINGLE && nodes.size() > 1) {
            throw new IOException("only " + Kind.SENTINEL.schemes.get(0) + " and " + Kind.CLUSTER.schemes.get(0)
                    + " may have several hosts");
        }
        return nodes;
    }

    /** Removes the brackets of an IPv6 address. */
    private static String host(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int database(Kind kind, String path) throws IOException {
        if (path.isEmpty() || path.equals("/")) {
            return 0;
        }
        if (kind == Kind.CLUSTER) {
            throw new IOException("a Redis cluster has one database: the address must not have a number of a database");
        }
        return StoreOptions.number("the database of Redis", path.substring(1), 0, 1_000_000);
    }

    /** The address for messages, without user and password. */
    String address() {
        return nodes.stream().map(HostAndPort::toString).collect(Collectors.joining(","));
    }

    JedisClientConfig client() {
        return client(login, database);
    }

    JedisClientConfig sentinelClient() {
        return client(sentinelLogin, 0);
    }

    /** Uses deprecated methods of Jedis. With their replacements, Jedis would create a TLS context for each connection. */
    @SuppressWarnings("deprecation")
    private JedisClientConfig client(Login as, int number) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP2)
                .connectionTimeoutMillis((int) timeouts.connection().toMillis())
                .socketTimeoutMillis((int) timeouts.answer().toMillis())
                .database(number)
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        if (!as.user.isEmpty()) {
            client.user(as.user);
        }
        if (!as.password.isEmpty()) {
            client.password(as.password);
        }
        SSLSocketFactory factory = trust;
        if (factory != null) {
            client.ssl(true).sslSocketFactory(factory).sslParameters(TrustedServers.namedAsInTheirCertificate());
        }
        return client.build();
    }

    /** The settings of a connection pool. A cluster has one pool for each node. */
    ConnectionPoolConfig pool() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        pool.setMaxWait(timeouts.connection());
        pool.setJmxEnabled(false);
        return pool;
    }
}
