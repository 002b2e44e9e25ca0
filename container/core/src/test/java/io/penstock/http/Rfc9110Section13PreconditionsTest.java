package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.EntityTag.Strength;
import io.penstock.http.Preconditions.Outcome;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class Rfc9110Section13PreconditionsTest {
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String EXACTLY = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";
    private static final Instant MODIFIED = Instant.parse("1994-11-06T08:49:37.900Z");
    private static final Validators STRONG = new Validators(new EntityTag(Strength.STRONG, "x"), MODIFIED);
    private static final Validators WEAK = new Validators(new EntityTag(Strength.WEAK, "x"), MODIFIED);

    private static Fields fields(String... namesAndValues) {
        FieldList fields = new FieldList();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static Outcome get(Validators current, String... fields) {
        return Preconditions.evaluate("GET", fields(fields), current);
    }

    @Test
    void aRequestWithoutAnApplicablePreconditionIsPerformed() {
        assertEquals(Outcome.PROCEED, get(STRONG));
        assertEquals(Outcome.PROCEED, get(Validators.NONE, "If-Modified-Since", AFTER));
    }

    @Test
    void theStrongComparisonIsUsedForTheIfMatchField() {
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Match", "\"a\", \"x\""));
        assertEquals(Outcome.PROCEED, get(WEAK, "If-Match", "*"));
        assertEquals(Outcome.FAILED, get(STRONG, "If-Match", "W/\"x\""));
        assertEquals(Outcome.FAILED, get(WEAK, "If-Match", "W/\"x\", \"x\""));
        assertEquals(Outcome.FAILED, get(STRONG, "If-Match", "nonsense"));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Match", "\"a\"", "If-Match", "\"x\""));
    }

    @Test
    void theWeakComparisonIsUsedForTheIfNoneMatchField() {
        assertEquals(Outcome.NOT_MODIFIED, get(STRONG, "If-None-Match", "W/\"x\""));
        assertEquals(Outcome.NOT_MODIFIED, get(WEAK, "If-None-Match", "\"a,b\" , \"x\""));
        assertEquals(Outcome.NOT_MODIFIED, get(STRONG, "If-None-Match", "*"));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-None-Match", "\"a,b\",\"X\""));
        assertEquals(Outcome.FAILED, Preconditions.evaluate("PUT", fields("If-None-Match", "*"), STRONG));
    }

    /** RFC 10008 section 2.6. */
    @Test
    void theConditionsOfAQueryAreThoseOfAGet() {
        assertEquals(Outcome.NOT_MODIFIED, Preconditions.evaluate("QUERY", fields("If-None-Match", "\"x\""), STRONG));
        assertEquals(Outcome.NOT_MODIFIED, Preconditions.evaluate("QUERY", fields("If-Modified-Since", AFTER), STRONG));
    }

    @Test
    void datesAreComparedInWholeSeconds() {
        assertEquals(Outcome.NOT_MODIFIED, get(STRONG, "If-Modified-Since", EXACTLY));
        assertEquals(Outcome.NOT_MODIFIED, get(STRONG, "If-Modified-Since", AFTER));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Modified-Since", BEFORE));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Unmodified-Since", EXACTLY));
        assertEquals(Outcome.FAILED, get(STRONG, "If-Unmodified-Since", BEFORE));
        assertEquals(Outcome.PROCEED, Preconditions.evaluate("POST", fields("If-Modified-Since", AFTER), STRONG));
    }

    @Test
    void invalidOrRepeatedDatesAreIgnored() {
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Modified-Since", "tomorrow"));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Unmodified-Since", "yesterday"));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Modified-Since", AFTER, "If-Modified-Since", AFTER));
    }

    @Test
    void entityTagsTakePrecedenceOverDates() {
        assertEquals(Outcome.PROCEED, get(STRONG, "If-None-Match", "\"y\"", "If-Modified-Since", AFTER));
        assertEquals(Outcome.PROCEED, get(STRONG, "If-Match", "\"x\"", "If-Unmodified-Since", BEFORE));
    }

    @Test
    void theIfMatchFieldIsEvaluatedBeforeTheIfNoneMatchField() {
        assertEquals(Outcome.FAILED, get(STRONG, "If-None-Match", "\"x\"", "If-Match", "\"y\""));
        assertEquals(Outcome.NOT_MODIFIED, get(STRONG, "If-None-Match", "\"x\"", "If-Match", "\"x\""));
    }

    @Test
    void theIfRangeFieldMatchesOnlyAnEqualStrongValidator() {
        assertTrue(Preconditions.rangeApplies(fields(), WEAK));
        assertTrue(Preconditions.rangeApplies(fields("If-Range", "\"x\""), STRONG));
        assertTrue(Preconditions.rangeApplies(fields("If-Range", EXACTLY), STRONG));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "W/\"x\""), STRONG));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "\"y\""), STRONG));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "\"x\""), WEAK));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", EXACTLY), WEAK));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", AFTER), STRONG));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "x"), STRONG));
        assertFalse(Preconditions.rangeApplies(fields("If-Range", "\"x\"", "If-Range", "\"x\""), STRONG));
    }

    @Test
    void entityTagsAreParsedAndNullIsReturnedForInvalidEntityTags() {
        assertEquals(new EntityTag(Strength.WEAK, "a,b"), EntityTag.parse("W/\"a,b\""));
        assertEquals("W/\"a,b\"", new EntityTag(Strength.WEAK, "a,b").toString());
        assertEquals("\"\"", new EntityTag(Strength.STRONG, "").toString());
        for (String none : new String[] {"", "x", "\"", "W/", "W/\"", "w/\"x\"", "\"a b\"", "\"a\"b\"", "\"a\" "}) {
            assertNull(EntityTag.parse(none), none);
        }
    }
}
