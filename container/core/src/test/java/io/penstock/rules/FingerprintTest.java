package io.penstock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which file names are recognized as names with a fingerprint. A fingerprint is a hash of the file's content. */
class FingerprintTest {
    @ParameterizedTest
    @CsvSource({
        "/assets/app.3f9a1c2b.js, true",
        "/app-3f9a1c2b.css, true",
        "/main.3f9a1c2b.chunk.js, true",
        "/main-5XJ2K3QW.js, true",
        "/index-BPZ5KDcV.js.map, true",
        "/application-908e25f4bf641868d8683022a5b62f54.css, true",
        "/a.b/logo.0d5c2e1b7f.svg, true",
        "/app.js, false",
        "/app.3f9a1c2.js, false",
        "/jquery-3.7.1.min.js, false",
        "/jquery-DataTables.js, false",
        "/photo-20240101.jpg, false",
        "/3f9a1c2b.js, false",
        "/app-3f9a1c2b, false",
        "/app.3f9a1c2b/index.html, false",
        "/app.3f9a1c2b_x.js, false",
        "/app.3f9ä1c2b.js, false",
        "/, false",
        "/.3f9a1c2b.js, true",
    })
    void fingerprintsInFileNamesAreRecognized(String path, boolean expected) {
        assertEquals(expected, PathRule.hasFingerprint(path), path);
    }
}
