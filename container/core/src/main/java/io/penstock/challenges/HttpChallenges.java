package io.penstock.challenges;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The open HTTP challenges of a server (RFC 8555 section 8.3). A certificate authority requests the path of a token over plain HTTP. The
 * listener of {@code redirect-port} answers with the key authorization, instead of a redirect.
 *
 * <p>Thread: any. The reactors call {@link #answer}, so this method does not wait.
 */
public final class HttpChallenges {
    /** The prefix of the path of each challenge. The token follows the prefix. */
    public static final String PATH = "/.well-known/acme-challenge/";

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]+");

    private final Map<String, String> answers = new ConcurrentHashMap<>();

    /** Starts with no open challenge. */
    public HttpChallenges() {}

    /**
     * Opens a challenge. From now on, {@link #answer} returns its answer.
     *
     * @param token the token of the challenge, in base64url without padding
     * @param keyAuthorization the answer
     * @throws IllegalArgumentException if the token has characters outside base64url
     */
    public void put(String token, String keyAuthorization) {
        if (!isToken(token)) {
            throw new IllegalArgumentException("not the token of a challenge: '" + token + "'");
        }
        answers.put(token, keyAuthorization);
    }

    /** Ends a challenge. Has no effect if there is no challenge with this token. */
    public void remove(String token) {
        answers.remove(token);
    }

    /** Returns the answer for the undecoded path of a request; null if the path belongs to no open challenge. */
    public @Nullable String answer(String path) {
        return path.startsWith(PATH) ? answers.get(path.substring(PATH.length())) : null;
    }

    /**
     * Whether the undecoded path of a request can be the path of a challenge. The path of a challenge needs no decoding or normalization.
     */
    public static boolean isPath(String path) {
        return path.startsWith(PATH) && isToken(path.substring(PATH.length()));
    }

    private static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }
}
