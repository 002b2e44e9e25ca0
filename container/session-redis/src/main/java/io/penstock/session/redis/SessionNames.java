package io.penstock.session.redis;

import io.penstock.store.SessionKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The names of one application's keys in Redis. Sessions are divided into {@value #SHARDS} shards. The keys of a shard have one hash tag,
 * so that a cluster keeps them on one node: {@code penstock:{/shop#2a}:} with the digest of a session's id, and with {@code expiry} for the
 * index of the shard.
 */
record SessionNames(String prefix, String application) {
    static final int SHARDS = 64;

    /** @param application the path of its context */
    SessionNames {
        application = escaped(application);
    }

    byte[] session(SessionKey key) {
        return bytes(shard(shardOf(key)) + key.digest());
    }

    /** The index of the session's shard. */
    byte[] index(SessionKey key) {
        return index(shardOf(key));
    }

    byte[] index(int shard) {
        return bytes(shard(shard) + "expiry");
    }

    static int shardOf(SessionKey key) {
        return HexFormat.fromHexDigits(key.digest(), 0, 2) % SHARDS;
    }

    /** @throws IOException if the text from Redis is not a digest */
    static SessionKey key(String digest) throws IOException {
        try {
            return new SessionKey(digest);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private String shard(int shard) {
        return prefix + ":{" + application + "#" + HexFormat.of().toHexDigits((byte) shard) + "}:";
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Escapes braces, which would end the hash tag, and characters with a meaning on a command line. */
    private static String escaped(String application) {
        StringBuilder name = new StringBuilder();
        for (byte b : application.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > 0 && (Character.isLetterOrDigit(b) || "/-_.".indexOf(b) >= 0);
            name.append(plain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
        }
        return name.toString();
    }
}
