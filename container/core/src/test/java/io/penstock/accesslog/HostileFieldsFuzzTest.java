package io.penstock.accesslog;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FuzzedText;

/** Tests random field values. Each request has exactly one line in the log, and other lines do not change. */
class HostileFieldsFuzzTest {

    @FuzzTest
    void noFieldValueBreaksTheLine(byte[] data) {
        HostileFieldsTest.assertHarmless(FuzzedText.fieldValue(data));
    }
}
