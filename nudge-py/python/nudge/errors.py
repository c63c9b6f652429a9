"""The exceptions: one class for each kind of error of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class NudgeError(Exception):
    """Why a call failed; the base of every exception that Nudge raises.

    Catch a subclass, or look at `code`, to decide what to do; print it to tell a person.
    The text may improve between releases, the code may not.
    """

    code: int = 0
    """The number of the kind, such as `40401`."""
    reason: str = ""
    """The name of the kind, such as `E_NOT_FOUND`."""
    message: str
    """A sentence that says what to do next."""
    data: dict[str, Any]
    """What a program may want to know: `reason`, `detail`, and what the kind has besides."""

    def __init__(
        self, message: str, data: Mapping[str, Any] | None = None, code: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.data = {"reason": self.reason, **(data or {})}
        self.reason = self.data["reason"]
        if code is not None:
            self.code = code

    @property
    def detail(self) -> str | None:
        """One word for the case within its kind, such as `expired`."""
        return self.data.get("detail")

    def to_dict(self) -> dict[str, Any]:
        """Gives the error object of JSON-RPC: `code`, `message` and `data`."""
        return {"code": self.code, "message": self.message, "data": dict(self.data)}

    @staticmethod
    def from_dict(error: Mapping[str, Any]) -> NudgeError:
        """Makes the exception for an error object, of the class that its code has."""
        # A newer core may know a kind that is not here: the base class carries its code.
        kind = _KINDS.get(error["code"], NudgeError)
        return kind(error["message"], error.get("data"), error["code"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.data, self.code))


class InvalidError(NudgeError, ValueError):
    """A field is missing, of the wrong type, out of range or ambiguous; `data["field"]`."""

    code = 40001
    reason = "E_INVALID"


class SecretRejectedError(NudgeError, ValueError):
    """The secret guard refused to store something; `data["rule"]` and `data["field"]`."""

    code = 40002
    reason = "E_SECRET_REJECTED"


class ScopeInvalidError(NudgeError, ValueError):
    """A glob does not compile or climbs out of its root; `data["pattern"]`."""

    code = 40003
    reason = "E_SCOPE_INVALID"


class ForbiddenError(NudgeError, PermissionError):
    """Only the user may do this."""

    code = 40301
    reason = "E_FORBIDDEN"


class NotFoundError(NudgeError, LookupError):
    """No such slot, it has expired, or nothing in it fits; `data` says what was near."""

    code = 40401
    reason = "E_NOT_FOUND"


class ConflictError(NudgeError):
    """The version is not the expected one, or a write is ambiguous; `data["current_version"]`."""

    code = 40901
    reason = "E_CONFLICT"


class QuotaError(NudgeError):
    """A limit of the store was reached; `data["limit"]` and `data["max"]`."""

    code = 42901
    reason = "E_QUOTA"


class InternalError(NudgeError):
    """A bug in Nudge; nothing was half-written."""

    code = 50001
    reason = "E_INTERNAL"


class UnavailableError(NudgeError, ConnectionError):
    """What owns the store cannot be reached."""

    code = 50301
    reason = "E_UNAVAILABLE"


_KINDS = {kind.code: kind for kind in NudgeError.__subclasses__()}
