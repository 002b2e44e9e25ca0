package io.penstock.challenges;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The open HTTP challenges of a server (RFC 8555 section 8.3). An authority asks for the path of a token in plain HTTP. The listener of
 * {@code redirect-port} answers with the key authorization that is put here, instead of a redirect.
 *
 * <p>Thread: any; the reactors read, without a wait.
 */
public final class HttpChallenges {
    /** The paths of challenges begin with this; the token is the rest. */
    public static final String PATH = "/.well-known/acme-challenge/";

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]+");

    private final Map<String, String> answers = new ConcurrentHashMap<>();

    /** At first no challenge is open. */
    public HttpChallenges() {}

    /**
     * Answers a challenge from now on.
     *
     * @param token of the challenge; base64url without padding
     * @param keyAuthorization the answer
     * @throws IllegalArgumentException if the token has other characters
     */
    public void put(String token, String keyAuthorization) {
        if (!isToken(token)) {
            throw new IllegalArgumentException("not the token of a challenge: '" + token + "'");
        }
        answers.put(token, keyAuthorization);
    }

    /** The challenge is over. No effect if there is none with this token. */
    public void remove(String token) {
        answers.remove(token);
    }

    /** The answer for a path, as it is in the request; null if it is not the path of an open challenge. */
    public @Nullable String answer(String path) {
        return path.startsWith(PATH) ? answers.get(path.substring(PATH.length())) : null;
    }

    /** Whether this can be the path of a challenge, as it is in the request. Such a path has nothing to decode or to normalize. */
    public static boolean isPath(String path) {
        return path.startsWith(PATH) && isToken(path.substring(PATH.length()));
    }

    private static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }
}
