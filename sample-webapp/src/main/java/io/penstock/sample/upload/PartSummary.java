package io.penstock.sample.upload;

import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** The summary of one part of a multipart request. */
record PartSummary(String field, String fileName, String type, long size, String sha256) {

    static PartSummary of(Part part) throws IOException {
        return new PartSummary(
                part.getName(),
                Objects.requireNonNullElse(part.getSubmittedFileName(), "–"),
                Objects.requireNonNullElse(part.getContentType(), "–"),
                part.getSize(),
                checksum(part));
    }

    String shortSha256() {
        return sha256.substring(0, 12);
    }

    private static String checksum(Part part) throws IOException {
        try (InputStream content = part.getInputStream()) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
