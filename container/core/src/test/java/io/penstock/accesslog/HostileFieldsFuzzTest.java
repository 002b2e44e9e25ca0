package io.penstock.accesslog;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FuzzedText;

/** Whatever a field of a head can hold, its line in the log is one line, and its own. */
class HostileFieldsFuzzTest {

    @FuzzTest
    void anyFieldValueIsHarmless(byte[] data) {
        HostileFieldsTest.assertHarmless(FuzzedText.fieldValue(data));
    }
}
