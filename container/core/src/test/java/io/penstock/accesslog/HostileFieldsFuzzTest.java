package io.penstock.accesslog;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FuzzedText;

/** Tests the access log with random bytes in the fields of a request. The log has exactly one valid line for each request. */
class HostileFieldsFuzzTest {

    @FuzzTest
    void randomFieldValuesAreEscapedInTheLog(byte[] data) {
        HostileFieldsTest.assertHarmless(FuzzedText.fieldValue(data));
    }
}
