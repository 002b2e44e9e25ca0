package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a {@code java} command.
 *
 * @param feature the feature version, such as 17, 21 or 25
 * @param text the whole version, such as {@code 21.0.4}
 */
public record JavaVersion(int feature, String text) {
    private static final Pattern FEATURE = Pattern.compile("java\\.specification\\.version = (\\d+)");
    private static final Pattern TEXT = Pattern.compile("java\\.version = (\\S+)");
    private static final int SECONDS = 20;

    /** Runs the {@code java} command, and returns its version. */
    public static JavaVersion of(Path java) throws ServerFailure, InterruptedException {
        try {
            Process process = new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return parse(output);
        } catch (IOException | IllegalArgumentException wrong) {
            throw new ServerFailure("Not a java command: " + java + "; name one with --java", wrong);
        }
    }

    static JavaVersion parse(String output) {
        Matcher feature = FEATURE.matcher(output);
        Matcher text = TEXT.matcher(output);
        if (!feature.find() || !text.find()) {
            throw new IllegalArgumentException("No version is reported");
        }
        return new JavaVersion(Integer.parseInt(feature.group(1)), text.group(1));
    }
}
