package io.penstock.session.redis;

import io.penstock.store.SessionKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The names of one application's keys in Redis. Sessions are divided into {@value #SHARDS} shards. All keys of a shard have the same hash
 * tag, so a cluster keeps them on one node. A key begins with a prefix such as {@code penstock:{/shop#2a}:}. The end of the key is the
 * digest of a session's id, or {@code expiry} for the index of the shard.
 */
record SessionNames(String prefix, String application) {
    static final int SHARDS = 64;

    /** @param application the context path of the application */
    SessionNames {
        application = escaped(application);
    }

    byte[] session(SessionKey key) {
        return bytes(shard(shardOf(key)) + key.digest());
    }

    /** The key of the index of the session's shard. */
    byte[] index(SessionKey key) {
        return index(shardOf(key));
    }

    byte[] index(int shard) {
        return bytes(shard(shard) + "expiry");
    }

    static int shardOf(SessionKey key) {
        return HexFormat.fromHexDigits(key.digest(), 0, 2) % SHARDS;
    }

    /** @throws IOException if {@code digest}, a text from Redis, is not a digest */
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

    /** Escapes braces, because a brace would end the hash tag. Also escapes characters with a special meaning on a command line. */
    private static String escaped(String application) {
        StringBuilder name = new StringBuilder();
        for (byte b : application.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > 0 && (Character.isLetterOrDigit(b) || "/-_.".indexOf(b) >= 0);
            name.append(plain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
        }
        return name.toString();
    }
}
