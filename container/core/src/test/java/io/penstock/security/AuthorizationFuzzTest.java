package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FieldList;
import io.penstock.http.FieldSyntax;
import io.penstock.http.FuzzedText;
import io.penstock.http.QuotedString;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses random texts as {@code Authorization} fields. A second parser in this test must find the same scheme and the same parameters. The
 * test then formats the parsed parameters as a new field. The new field must have the same parameters. A {@link DigestAnswer} must contain
 * exactly the values in the field.
 */
class AuthorizationFuzzTest {
    private static final Pattern CREDENTIALS = Pattern.compile("(?i)(basic|digest) (.*)", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile(
            "([^ \\t,=\"]+)[ \\t]*=[ \\t]*(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^ \\t,\"]*+))[ \\t]*(?:,|\\z)",
            Pattern.DOTALL);
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)", Pattern.DOTALL);
    private static final long LARGEST_COUNT = 0xFFFFFFFFL;

    private static RequestHead head(String authorization) {
        return new RequestHead(
                "GET",
                RequestTarget.origin("/"),
                Version.HTTP_1_1,
                new FieldList().add("Authorization", authorization));
    }

    /** Parses the parameters without the tested class. Returns null if the text is malformed. */
    private static @Nullable Map<String, String> parameters(String text) {
        Map<String, String> parameters = new HashMap<>();
        Matcher parameter = PARAMETER.matcher(text);
        int at = 0;
        while (true) {
            while (at < text.length() && " \t,".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (at == text.length()) {
                return parameters;
            }
            if (!parameter.region(at, text.length()).lookingAt() || !FieldSyntax.isToken(parameter.group(1))) {
                return null;
            }
            String quoted = parameter.group(2);
            String value = quoted == null
                    ? parameter.group(3)
                    : ESCAPED.matcher(quoted).replaceAll(found -> Matcher.quoteReplacement(found.group(1)));
            if (parameters.put(parameter.group(1).toLowerCase(Locale.ROOT), value) != null) {
                return null;
            }
            at = parameter.end();
        }
    }

    @FuzzTest
    void randomFieldsAreParsedLikeByASecondParser(byte[] data) {
        String field = FuzzedText.fieldValue(data).strip();
        Matcher matcher = CREDENTIALS.matcher(field);
        String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
        String basic = Authorization.credentials(head(field), "Basic");
        String digest = Authorization.credentials(head(field), "Digest");
        assertEquals(scheme.equals("basic") ? matcher.group(2).strip() : null, basic);
        assertEquals(scheme.equals("digest") ? matcher.group(2).strip() : null, digest);

        String credentials = digest == null ? field : digest;
        Map<String, String> sent = Authorization.parameters(credentials);
        assertEquals(parameters(credentials), sent);
        DigestAnswer answer = DigestAnswer.parse(credentials);
        if (sent == null) {
            assertNull(answer);
            return;
        }
        String again = sent.entrySet().stream()
                .map(parameter -> parameter.getKey() + '=' + QuotedString.quote(parameter.getValue()))
                .collect(Collectors.joining(", "));
        assertEquals(sent, Authorization.parameters(again));
        assertEquals(answer, DigestAnswer.parse(again));
        if (answer != null) {
            assertTrue(answer.count() >= 0 && answer.count() <= LARGEST_COUNT, answer.nc());
            assertEquals(sent.get("nonce"), answer.nonce());
            assertEquals(sent.get("uri"), answer.uri());
            assertEquals(sent.get("response"), answer.response());
        }
    }
}
