package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ContentCoding;
import io.penstock.http.EntityTag;
import io.penstock.http.EntityTag.Strength;
import io.penstock.http.Validators;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The validators of a file: its modification time, and a tag made of time and size (RFC 9110 section 8.8). */
final class FileValidators {
    /** A file that changed less than this time ago may change again without a new modification time. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private FileValidators() {}

    /** @param coding the content coding of a compressed sibling; null for the file itself */
    static Validators of(Resource file, @Nullable ContentCoding coding, Instant now) {
        Instant modified = file.modified();
        Strength strength = isSettled(file, now) ? Strength.STRONG : Strength.WEAK;
        String opaque = Long.toHexString(Saturated.millis(modified)) + '-' + Long.toHexString(file.size());
        if (coding != null) {
            opaque += '-' + coding.token(); // otherwise the file itself could have the same tag
        }
        return new Validators(new EntityTag(strength, opaque), modified);
    }

    /** Whether every later change will show in the file's modification time. */
    static boolean isSettled(Resource file, Instant now) {
        return file.modified().plus(FRESH).isBefore(now);
    }
}
