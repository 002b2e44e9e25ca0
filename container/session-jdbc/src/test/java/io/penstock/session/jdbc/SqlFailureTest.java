package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the error messages for SQL exceptions, and which of these exceptions mean that the store is unavailable. */
class SqlFailureTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "08001", "08006", "08S01", "53100", "53300", "57P01", "57P02", "57P03", "57014", "25006", "28P01",
                "28000", "42501"
            })
    void failuresOfTheDatabaseMakeTheStoreUnavailable(String state) {
        assertInstanceOf(StoreUnavailableException.class, SqlFailure.of(new SQLException("away", state)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "40001", "40P01", "42P01", "54000", "55P03", "HYT00", "XX000"})
    void failuresOfOneSessionDoNotMakeTheStoreUnavailable(String state) {
        assertEquals(
                IOException.class, SqlFailure.of(new SQLException("odd", state)).getClass());
    }

    @Test
    void aFailureWithoutAnSqlStateIsClassifiedByItsExceptionClass() {
        assertInstanceOf(StoreUnavailableException.class, SqlFailure.of(new SQLTimeoutException("slow")));
        assertInstanceOf(
                StoreUnavailableException.class, SqlFailure.of(new SQLTransientConnectionException("no connection")));
        assertFalse(SqlFailure.of(new SQLException((String) null)) instanceof StoreUnavailableException);
    }

    /** The pool of HikariCP reports an interrupt without an SQLSTATE. */
    @Test
    void anInterruptIsNoFailureOfTheDatabase() {
        SQLException interrupted =
                new SQLException("Interrupted during connection acquisition", new InterruptedException());
        assertInstanceOf(InterruptedIOException.class, SqlFailure.of(interrupted));
    }

    @Test
    void theMessageIsOneLineAndContainsTheReasonOfTheConnectionPool() {
        SQLException pool = new SQLTransientConnectionException(
                "timed out after 2000ms", new SQLException("Connection refused\n  Hint: none"));
        assertEquals("timed out after 2000ms: Connection refused", SqlFailure.line(pool));
        assertEquals("first", SqlFailure.line(new SQLException("\nfirst\r\nsecond")));
        assertEquals("no reason given", SqlFailure.line(new SQLException()));
    }
}
